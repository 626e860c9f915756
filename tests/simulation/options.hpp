#pragma once

#include "tests/simulation/campaign.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hive::simulation {

struct Options {
    const Scenario* scenario = nullptr;
    std::optional<std::uint64_t> seed{}; // one run; else a campaign
    std::uint64_t from = 1;
    std::uint64_t seeds = 1000;
    std::optional<std::uint64_t> minutes{}; // instead of a number of seeds
    unsigned jobs = 1;
    FaultSet faults = FaultSet::all();
    bool trace = false;
    bool list = false;
    bool help = false;
};

inline constexpr std::string_view usage =
    R"(usage: simulation [--scenario NAME] [--seeds N | --minutes M] [--from SEED] [--jobs N]
       simulation [--scenario NAME] --seed N [--trace]
  --scenario NAME  which one to play (default: handshake); --list shows all
  --seeds N        play N seeds (default 1000), --from SEED on (default 1)
  --minutes M      play seeds for M minutes
  --jobs N         on N cores (default: all)
  --seed N         play one seed; --trace tells its whole story
  --faults LIST    allow only these kinds of faults: all, none or
                   delay,reorder,duplicate,loss,slow-consumer,partition,broker-restart,crash
Exit code 0: every rule held; 1: a rule was violated; 2: bad arguments.
)";

// Errc::invalid with what is wrong and what to write instead.
Result<Options> parse_options(std::span<const char* const> arguments, unsigned cores);

} // namespace hive::simulation
