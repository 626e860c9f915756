#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace hive::cli {
namespace {

constexpr Duration quiet = std::chrono::milliseconds{500};
constexpr Duration pause = std::chrono::milliseconds{100};
constexpr const char* clear_line = "\r\x1b[K";

} // namespace

Progress::Progress(Host& host, std::string doing)
    : host_{host}, doing_{std::move(doing)}, next_{host.clock.now() + quiet} {}

Progress::~Progress() {
    if (shown_) host_.err << clear_line;
}

void Progress::at(std::uint64_t done, std::uint64_t all) {
    if (!host_.progress || host_.clock.now() < next_) return;
    next_ = host_.clock.now() + pause;
    shown_ = true;
    host_.err << clear_line;
    if (all == 0) {
        host_.err << fmt::format("{} {}", doing_, done);
    } else {
        const double part = 100.0 * static_cast<double>(std::min(done, all));
        host_.err << fmt::format("{} {:.0f}%", doing_, part / static_cast<double>(all));
    }
}

} // namespace hive::cli
