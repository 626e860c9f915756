#include "tests/simulation/trace.hpp"

namespace hive::simulation {

void Trace::emit(char mark, std::string_view who, std::string_view text) const {
    sink_(fmt::format("{:>12} #{:<5} {} {:<12} {}", seconds_text(now_), step_, mark, who, text));
}

std::string short_text(std::string_view body) {
    constexpr std::size_t shown_max = 60;
    std::string out;
    for (const char c : body.substr(0, shown_max)) out += (c >= ' ' && c <= '~') ? c : '?';
    return body.size() > shown_max ? out + "..." : out;
}

std::string seconds_text(TimePoint at) {
    const auto micros =
        std::chrono::duration_cast<std::chrono::microseconds>(at.time_since_epoch()).count();
    return fmt::format("{}.{:06}s", micros / 1'000'000, micros % 1'000'000);
}

} // namespace hive::simulation
