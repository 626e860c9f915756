#include "cli/colony_config.hpp"

namespace hive::cli {

using namespace std::chrono_literals;

namespace {

void declare_webhook_options(OptionTable& table, rest::ColonyPolicy& policy) {
    colony::webhooks::Policy& webhooks = policy.webhooks;
    table.add("colony.webhooks.allow", policy.webhook_allow)
        .value_name("NETWORK")
        .help("where webhooks may go besides the public internet: 10.1.0.0/16, hooks.internal");
    table.add("colony.webhooks.retries", webhooks.retries)
        .range(1ms, 24h * 30)
        .help("waits between the attempts of a delivery; after the last it has failed");
    table.add("colony.webhooks.timeout", webhooks.attempt_within)
        .range(100ms, 5min)
        .help("how long a receiver may take");
    table.add("colony.webhooks.disable-after", webhooks.disable_after)
        .range(1s, 24h * 365)
        .help("a webhook that has only failed for this long is disabled");
    table.add("colony.webhooks.keep", webhooks.keep)
        .range(1s, 24h * 3650)
        .help("how long deliveries that are over are kept");
    table.add("colony.webhooks.log-max", webhooks.log_max)
        .range(std::size_t{10}, std::size_t{10'000'000})
        .help("so many deliveries of one webhook are kept at most");
    table.add("colony.webhooks.under-way", webhooks.under_way_max)
        .range(std::size_t{1}, std::size_t{64})
        .help("so many deliveries to one webhook at the same time");
}

} // namespace

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
    table.add("colony.currency", policy.currency)
        .value_name("CODE")
        .check(&colony::costs::check_currency)
        .help("of prices and of money that says no other, such as EUR");
    table.add("colony.quiet-after", policy.silence.quiet_after)
        .range(1s, 24h * 30)
        .help("a bee that was not heard of for this long is called quiet");
    table.add("colony.silent-after", policy.silence.silent_after)
        .range(1s, 24h * 30)
        .help("and silent after this long");
    declare_webhook_options(table, policy);
}

} // namespace hive::cli
