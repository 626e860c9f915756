#include "tests/support/places.hpp"

#include <cstdlib>

namespace hive::tests {
namespace {

std::string below(std::string_view root, std::string_view path) {
    std::string full{root};
    if (!path.empty()) full.append("/").append(path);
    return full;
}

} // namespace

std::string in_source(std::string_view path) {
    return below(HIVE_SOURCE_DIR, path);
}

std::string in_build(std::string_view path) {
    // A build with sanitizers has its programs looked at by tests of the optimised build.
    const char* other = std::getenv("HIVE_BUILD_DIR");
    return below(other ? other : HIVE_BUILD_DIR, path);
}

std::string hive_program() {
    return in_build("bin/hive");
}

} // namespace hive::tests
