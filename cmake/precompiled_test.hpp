// The same for test cases: see cmake/precompiled.cmake.
#include "precompiled.hpp"

#include <doctest/doctest.h>
