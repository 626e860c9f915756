#pragma once

#include "kernel/json.hpp"
#include "redis/counters.hpp"
#include "template/sequences.hpp"
#include "worker/redis_config.hpp"

#include <memory>
#include <string_view>

namespace hive::worker {

// What the templates of a bee count on: its own counters, or those in Redis that it shares with
// others when its settings say so. On the bee's strand.
class BeeSequences final : public templates::Sequences {
public:
    void configure(const SequenceServer& config);
    void report(json::object& into) const; // only trouble

    Result<std::uint64_t> next(std::string_view key) override;
    Result<bool> reset(std::string_view key) override;

private:
    SequenceServer config_{};
    templates::LocalSequences own_{};
    std::unique_ptr<redis::Counters> shared_{};
};

} // namespace hive::worker
