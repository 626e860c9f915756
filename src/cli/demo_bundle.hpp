#pragma once

#include <span>
#include <string_view>

namespace hive::cli {

struct BundleFile {
    std::string_view path; // within the bundle
    std::string_view text;
};

// `scenarios/hello`, as it was when this program was built.
std::span<const BundleFile> demo_bundle();

} // namespace hive::cli
