#pragma once

#include "worker/line.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace hive::bees {

// What a trigger does with each of its items: ends each job by one call of the line, later. On the
// bee's strand.
class Action {
public:
    virtual ~Action() = default;
    virtual void begin(worker::Job& job, worker::Line& line) = 0;
    virtual std::size_t room() const = 0; // how many may begin now

    struct Count {
        std::uint64_t done = 0;
        std::uint64_t failed = 0;
        std::string last_error{};
    };
    const Count& count() const noexcept { return count_; }

protected:
    void add(std::string error) { // empty: it went well
        ++count_.done;
        if (error.empty()) return;
        ++count_.failed;
        count_.last_error = std::move(error);
    }

private:
    Count count_{};
};

} // namespace hive::bees
