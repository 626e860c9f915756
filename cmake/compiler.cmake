# Which compilers may build this project, and why others are refused.

if(NOT CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX})
    find_program(HIVE_CLANG NAMES clang++-19 clang++-20 clang++-21 clang++)
    if(HIVE_CLANG)
        set(CMAKE_CXX_COMPILER "${HIVE_CLANG}" CACHE FILEPATH "C++ compiler")
    endif()
endif()
if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(HIVE_CCACHE ccache)
    if(HIVE_CCACHE)
        # Paths relative to the source make a second clone hit the cache of the first.
        set(CMAKE_CXX_COMPILER_LAUNCHER
            "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${CMAKE_CURRENT_SOURCE_DIR}"
            CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1
            CCACHE_DEPEND=1 "${HIVE_CCACHE}"
            CACHE STRING "compiler launcher")
    endif()
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "build type" FORCE)
endif()
# Asserts state what must hold; they stay on in release, so NDEBUG is never defined.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -gline-tables-only")

set(HIVE_SANITIZE "" CACHE STRING "sanitizers to build with, e.g. address,undefined or thread")
# Builds with sanitizers take from there what is the same in both.
set(HIVE_OPTIMISED_BUILD "${CMAKE_CURRENT_SOURCE_DIR}/build")
option(HIVE_FUZZ "build the fuzzers (clang libFuzzer)" OFF)

# Called once the compiler is known.
macro(hive_check_compiler)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
        message(FATAL_ERROR
            "g++ ${CMAKE_CXX_COMPILER_VERSION} destroys temporaries inside co_await twice and would "
            "miscompile this project. Install clang-19 (apt-get install clang-19) and configure with "
            "CXX=clang++-19, or run ./hive, which does both.")
    elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17)
        message(FATAL_ERROR
            "clang ${CMAKE_CXX_COMPILER_VERSION} is too old for this project's coroutines. "
            "Install clang-19 (apt-get install clang-19) and configure with CXX=clang++-19.")
    endif()
endmacro()

set(HIVE_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
    -Wimplicit-fallthrough -Werror)
if(HIVE_SANITIZE) # the optimised build has judged the same files
    set(HIVE_WARNINGS -w)
endif()
add_library(hive_flags INTERFACE)
target_compile_options(hive_flags INTERFACE
    ${HIVE_WARNINGS} -fno-omit-frame-pointer -pthread
    "-ffile-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/=")
if(HIVE_SANITIZE)
    target_compile_options(hive_flags INTERFACE
        "-fsanitize=${HIVE_SANITIZE}" -fno-sanitize-recover=all)
    # Where a program lies is decided at once: relocating one of 200 MB is a quarter of its start.
    target_link_options(hive_flags INTERFACE "-fsanitize=${HIVE_SANITIZE}" -no-pie)
endif()
# What -fsanitize=fuzzer-no-link would switch on, for folders that a fuzzer looks into: it makes the objects of
# others a third larger, and they take that much longer to compile. As plain coverage it goes with
# headers that were precompiled without.
set(HIVE_FUZZ_COVERAGE -fsanitize-coverage=inline-8bit-counters,indirect-calls,trace-cmp,pc-table)
find_program(HIVE_MOLD mold)
if(HIVE_MOLD)
    target_link_options(hive_flags INTERFACE -fuse-ld=mold)
endif()
