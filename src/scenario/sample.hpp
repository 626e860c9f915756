#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace hive::scenario {

// One item that the template of a bee is tried on.
struct Sample {
    std::string bee{};
    std::string payload{};
    std::map<std::string, std::string> headers{}; // x-ph-call-id chooses the call of a builder
    std::uint64_t seed = 1;                       // of everything that is left to chance
};

} // namespace hive::scenario
