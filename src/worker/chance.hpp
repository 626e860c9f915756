#pragma once

#include "kernel/id.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace hive::worker {

// What a bee leaves to chance. With a seed in its settings a run repeats exactly, and replicas
// still differ from each other. Without one nothing repeats: each life of a bee has its own.
class Chance {
public:
    Chance(std::uint64_t entropy, const InstanceId& self);

    void configure(std::optional<std::uint64_t> seed) { configured_ = seed; }

    // For one use of chance, so that two of them in a bee never draw the same numbers. `own` is a
    // seed that was configured for that use alone.
    std::uint64_t seed(std::string_view use, std::optional<std::uint64_t> own = std::nullopt) const;

private:
    std::uint64_t entropy_;
    std::uint64_t replica_; // counted from 0
    std::optional<std::uint64_t> configured_{};
};

} // namespace hive::worker
