#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <string>
#include <string_view>

namespace hive::templates {

// Dates as Java's DateTimeFormatter writes them, in UTC and English: y u M L d D H h k K m s S n a
// E e Q w and the zones X x Z z V O, literals in quotes. Checked at load time where the pattern is
// constant.
Status check_date_pattern(std::string_view pattern);
Status append_date(std::string& out, Timestamp time, std::string_view pattern);

// `+2d`, `-90m`, `+1M` (or `months`): s m h d w M y; months and years keep the day where they can.
Result<Timestamp> offset_by(Timestamp time, std::string_view offset);

} // namespace hive::templates
