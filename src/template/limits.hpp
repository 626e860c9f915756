#pragma once

#include <cstddef>
#include <cstdint>

namespace hive::templates {

// Templates come from people and payloads from anywhere: whatever they say, rendering ends soon and
// in bounded memory. A bound that is hit is an error that names it.
struct CompileLimits {
    std::size_t source_bytes = std::size_t{256} << 10U;
    std::size_t depth = 128; // of brackets, operators, tags and evals inside one another
};

struct RenderLimits {
    std::size_t output_bytes = std::size_t{4} << 20U;  // of one render
    std::size_t memory_bytes = std::size_t{32} << 20U; // of values made by one render
    std::size_t payload_bytes = std::size_t{4} << 20U; // of a payload read as JSON
    std::uint64_t loop_rounds = 100'000;               // of all loops of one render together
    std::uint64_t steps = 2'000'000;                   // instructions, and work of functions
};

inline constexpr std::size_t value_depth_max = 64; // lists and maps inside one another
inline constexpr std::size_t eval_depth_max = 8;   // evals of text made by evals

} // namespace hive::templates
