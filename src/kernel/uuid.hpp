#pragma once

#include "kernel/clock.hpp"
#include "kernel/random.hpp"

#include <string>
#include <string_view>

namespace hive {

std::string make_uuid(Random& random); // version 4, lower case
void append_uuid(std::string& out, Random& random);
// Version 7: begins with `now`, to a quarter of a microsecond, so that ids made later sort later
// and a table keyed by them grows at its end.
std::string make_ordered_uuid(Timestamp now, Random& random);
// And sorts after that one, whatever the clock says.
std::string make_ordered_uuid(Timestamp now, Random& random, std::string_view after);
bool is_uuid(std::string_view text) noexcept;

} // namespace hive
