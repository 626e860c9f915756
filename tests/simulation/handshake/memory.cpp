#include "tests/simulation/handshake/memory.hpp"

#include "kernel/overloaded.hpp"

#include <fmt/format.h>

#include <cassert>

namespace hive::simulation::handshake {

void save_ledger(Disk& disk, const PerformerState& state) {
    disk.write(ledger_key, fmt::format("{}", fmt::join(state.ledger, " ")));
}

void save_job(Disk& disk, const PerformerState& state, const std::string& correlation) {
    const Job& job = state.jobs.at(correlation);
    const auto stage = std::visit(
        overloaded{
            [](const Working&) { return std::string{"working 0"}; },
            [](const Performed& done) { return fmt::format("performed {}", done.entry); },
            [](const Announced& done) { return fmt::format("announced {}", done.entry); },
        },
        job.stage);
    disk.write(fmt::format("{}{}", job_prefix, correlation), fmt::format("{} {}", job.key, stage));
}

PerformerState recall_performer(const Disk& disk, TimePoint now) {
    PerformerState state;
    for (const auto& [name, text] : disk.entries()) {
        const auto parts = words(text);
        if (name == ledger_key) {
            state.ledger = parts;
            continue;
        }
        assert(name.starts_with(job_prefix) && parts.size() == 3);
        const std::uint64_t entry = number(parts[2]).value();
        Job job{parts[0], Working{now}};
        if (parts[1] == "performed") job.stage = Performed{entry};
        if (parts[1] == "announced") job.stage = Announced{entry};
        state.jobs.emplace(name.substr(job_prefix.size()), std::move(job));
    }
    return state;
}

void save_order(Disk& disk, const RequesterState& state, const std::string& key) {
    const Order& order = state.orders.at(key);
    const auto stage = std::visit(
        overloaded{
            [](const Sent&) { return std::string{"sent 0"}; },
            [](const Accepted&) { return std::string{"accepted 0"}; },
            [](const Ended& ended) { return fmt::format("ended {}", ended.entry); },
            [](const GivenUp&) { return std::string{"given-up 0"}; },
        },
        order.stage);
    disk.write(
        fmt::format("{}{}", order_prefix, key),
        fmt::format("{} {} {}", order.attempts, stage, order.deadline.count()));
}

RequesterState recall_requester(const Disk& disk, TimePoint now) {
    RequesterState state{.next_order_at = now};
    for (const auto& [name, text] : disk.entries()) {
        const auto parts = words(text);
        assert(name.starts_with(order_prefix) && parts.size() == 4);
        Order order{
            .attempts = number(parts[0]).value(),
            .deadline = Duration{static_cast<Duration::rep>(number(parts[3]).value())},
            .stage = Sent{now}};
        if (parts[1] == "accepted") order.stage = Accepted{};
        if (parts[1] == "ended") order.stage = Ended{number(parts[2]).value()};
        if (parts[1] == "given-up") order.stage = GivenUp{};
        state.orders.emplace(name.substr(order_prefix.size()), std::move(order));
    }
    return state;
}

} // namespace hive::simulation::handshake
