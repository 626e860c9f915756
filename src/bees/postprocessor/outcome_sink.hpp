#pragma once

#include "kernel/json.hpp"

#include <string_view>

namespace hive::bees {

// Where a post-processor writes the rows of its calls, beside its status. On the bee's strand;
// nothing here waits for a server. What it cannot keep it drops and counts.
class OutcomeSink {
public:
    virtual ~OutcomeSink() = default; // writes what is left, for a bounded time

    virtual void add(std::string_view row) = 0; // one JSON object without a line's end
    virtual void flush() = 0;                   // soon, without waiting for more
    virtual void each_second() {}
    virtual bool healthy() const = 0; // the last thing that it tried to write was written
    virtual void report(json::object& into) const = 0;
};

} // namespace hive::bees
