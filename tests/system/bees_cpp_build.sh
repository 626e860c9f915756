#!/usr/bin/env bash
# Installs the SDK into a place of its own and builds the example bee against it, as a stranger would.
# usage: bees_cpp_build.sh CMAKE BUILD EXAMPLE PLACE COMPILER SANITIZERS
set -euo pipefail
cmake=$1 build=$2 example=$3 place=$4 compiler=$5 sanitizers=$6
rm -rf "$place"
"$cmake" --install "$build" --component sdk --prefix "$place/package" >/dev/null
# What was built with sanitizers is linked with them.
flags=()
[ -z "$sanitizers" ] || flags=(-DCMAKE_CXX_FLAGS="-fsanitize=$sanitizers -fno-sanitize-recover=all")
"$cmake" -S "$example" -B "$place/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$place/package" -DCMAKE_CXX_COMPILER="$compiler" "${flags[@]}"
"$cmake" --build "$place/build"
