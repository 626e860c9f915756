#pragma once

#include "wire/json_cursor.hpp"
#include "wire/work_item.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace hive::wire {

// The bee of these names. Making it anew for each item was a good part of what decoding allocated:
// those that this thread met lately are shared.
const Stamp& stamp_of(std::string_view service, std::string_view instance);

// A bee as the items of a queue name it, at the same place in one after the other: recognised by
// the bytes, its names are neither read nor checked again.
class KnownBee {
public:
    bool is_next(JsonCursor& in) const { return !said_.empty() && in.take_exactly(said_); }
    const Stamp& stamp() const noexcept { return stamp_; }

    // `service` and `instance`: what our encoder writes before each name.
    void learn(const Stamp& met, std::string_view service, std::string_view instance);

private:
    Stamp stamp_{};
    std::string said_{};
};

// Of this thread, which mostly reads the items of one queue.
KnownBee& known_in_steps(std::size_t index);
KnownBee& known_in_hops(std::size_t index);

} // namespace hive::wire
