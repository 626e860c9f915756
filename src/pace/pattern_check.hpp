#pragma once

#include "pace/pattern.hpp"

namespace hive::pace {

// Everything about a pattern that can be said before it is drawn.
Status check(const Pattern& pattern);

} // namespace hive::pace
