#pragma once

#include "colony/files/zone.hpp"
#include "kernel/json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::colony::files {

// One line of a bot log, in the words of PROCESS-0004 whatever generation it is of.
struct LogLine {
    std::optional<Timestamp> time{};
    std::string actor{};
    std::string event{}; // folded: `task_start` and `task_accepted` are `task_started`
    std::string task{};
    std::string text{};
    std::uint64_t sequence = 0; // of the hive's own lines
    enum class Form : std::uint8_t { good, repaired, opaque } form = Form::good;
};

inline constexpr std::size_t log_lines_max = 50'000;

// Every line is kept: one that is no JSON is repaired where that is possible, else taken as text.
std::vector<LogLine> read_log(std::string_view text, const Zone& zone);
LogLine read_log_line(std::string_view line, const Zone& zone);

std::string folded_event(std::string_view event);

} // namespace hive::colony::files
