#include "cli/colony_config.hpp"

namespace hive::cli {

using namespace std::chrono_literals;

void declare_colony_options(OptionTable& table, rest::ColonyPolicy& policy) {
    table.add("colony.messages-per-minute", policy.quota.per_minute)
        .range(1, 100'000)
        .help("how many messages a bee may send in a minute");
    table.add("colony.messages-per-day", policy.quota.per_day)
        .range(1, 10'000'000)
        .help("how many messages a bee may send in a day");
    table.add("colony.strikes", policy.quota.strikes_max)
        .range(1, 1000)
        .help("so many refused messages within a minute, and a bee has to be silent");
    table.add("colony.cooldown", policy.quota.cooldown)
        .range(1s, 24h)
        .help("how long a bee that spoke too fast has to be silent");
    table.add("colony.quiet-after", policy.silence.quiet_after)
        .range(1s, 24h * 30)
        .help("a bee that was not heard of for this long is called quiet");
    table.add("colony.silent-after", policy.silence.silent_after)
        .range(1s, 24h * 30)
        .help("and silent after this long");
}

} // namespace hive::cli
