#pragma once

#include "kernel/clock.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace hive::simulation {

// The story of a run, one line per thing that happened. Off by default: a run that failed is played
// again from its seed with the trace on, so that runs which do not fail pay nothing for it.
class Trace {
public:
    using Sink = std::function<void(std::string_view line)>; // without a line break

    Trace() = default;
    explicit Trace(Sink sink) : sink_{std::move(sink)} {}

    bool on() const noexcept { return static_cast<bool>(sink_); }
    void at(TimePoint now, std::uint64_t step) {
        now_ = now;
        step_ = step;
    }

    template <class... Args>
    void line(std::string_view who, fmt::format_string<Args...> text, Args&&... args) const {
        if (on()) emit(' ', who, fmt::format(text, std::forward<Args>(args)...));
    }
    // Marked with `!`, so that the eye finds what the simulator did to the components.
    template <class... Args>
    void fault(std::string_view who, fmt::format_string<Args...> text, Args&&... args) const {
        if (on()) emit('!', who, fmt::format(text, std::forward<Args>(args)...));
    }

private:
    void emit(char mark, std::string_view who, std::string_view text) const;

    Sink sink_;
    TimePoint now_{};
    std::uint64_t step_ = 0;
};

std::string short_text(std::string_view body); // printable, at most 60 characters

// Virtual time as `12.345678s`.
std::string seconds_text(TimePoint at);

} // namespace hive::simulation
