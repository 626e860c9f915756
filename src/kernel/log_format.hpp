#pragma once

#include "kernel/config_type.hpp"
#include "kernel/log.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace hive {

enum class LogFormat : std::uint8_t {
    human, // 12:34:56.789 INFO  bus  connected host=localhost port=5672
    json,  // one object per line
};

std::span<const Named<LogFormat>> names_of(LogFormat);

// Bounds on one record, so that a huge value cannot fill a disk line by line.
inline constexpr std::size_t log_value_max = 4096;
inline constexpr std::size_t log_fields_max = 32;

// Each appends exactly one line with its line end, whatever the message and the values hold.
void append_human(std::string& out, const LogRecord& record, bool colors);
void append_json_line(std::string& out, const LogRecord& record);

} // namespace hive
