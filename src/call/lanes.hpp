#pragma once

#include "call/lane.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace hive::call {

// Several lanes that share one concurrency: more than one core for one caller. Events come from
// all their threads.
class Lanes {
public:
    static Result<std::unique_ptr<Lanes>>
    start(std::size_t threads, const Options& options, const Lane::Events& events);

    // All of them or none; see Lane::submit. A batch goes to one lane, in turn.
    [[nodiscard]] Status submit(std::vector<Call>& calls);
    std::size_t pending() const;
    void drain(Duration within);

private:
    explicit Lanes(std::vector<std::unique_ptr<Lane>> lanes) : lanes_{std::move(lanes)} {}

    std::vector<std::unique_ptr<Lane>> lanes_;
    std::atomic<std::size_t> next_{0};
};

} // namespace hive::call
