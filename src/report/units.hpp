#pragma once

#include <cstdint>
#include <string>

namespace hive::report {

// Numbers as people read them: three digits that matter, thousands apart, the unit that fits.
std::string count_text(std::uint64_t count); // 1,234,567
std::string number_text(double number);      // 4,012 or 40.1 or 0.401
std::string rate_text(double per_sec);       // 4,012/s
std::string micros_text(double us);          // 812 µs, 1.23 ms, 45.6 s
std::string share_text(double share);        // 0.123 % of 0.00123
std::string bytes_text(double bytes);        // 1.23 MB
std::string clock_text(double sec);          // 1:05 or 1:02:03
std::string seconds_text(double sec);        // 20.5 s or 3 min 0 s

} // namespace hive::report
