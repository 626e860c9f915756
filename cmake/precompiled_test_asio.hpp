// And for test cases of what uses Asio.
#include "precompiled_asio.hpp"

#include <doctest/doctest.h>
