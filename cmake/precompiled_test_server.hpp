// And for test cases of the server.
#include "precompiled_server.hpp"

#include <doctest/doctest.h>
