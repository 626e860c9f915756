#pragma once

#include "importer/draft.hpp"
#include "kernel/result.hpp"

#include <string>
#include <string_view>

namespace hive::importer {

struct HarWish {
    bool skip_static = false; // images, styles, scripts, fonts
    std::string host{};       // of several hosts this one; empty: the one that was called most
};

inline constexpr std::size_t har_bytes_max = std::size_t{64} << 20U;

// The calls of a recording in their order, those to one host. Errc::invalid with the place when it
// is none, or when nothing is left of it.
Result<Draft> read_har(std::string_view text, const HarWish& wish = {});

} // namespace hive::importer
