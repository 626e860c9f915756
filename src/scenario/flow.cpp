#include "scenario/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace hive::scenario {
namespace {

struct Ends {
    std::vector<const Bee*> producers{};
    std::vector<const Bee*> consumers{};
    Position at{}; // where it is first named
};
using Queues = std::map<std::string_view, Ends>;

Queues queues_of(const std::vector<Bee>& bees) {
    Queues queues;
    for (const Bee& bee : bees) {
        for (const Port& port : bee.out) {
            Ends& ends = queues[port.queue];
            ends.producers.push_back(&bee);
            if (ends.at == Position{}) ends.at = port.at;
        }
        for (const Port& port : bee.in) {
            Ends& ends = queues[port.queue];
            ends.consumers.push_back(&bee);
            if (ends.at == Position{}) ends.at = port.at;
        }
    }
    return queues;
}

void check_ends(const Queues& queues, Report& report) {
    for (const auto& [queue, ends] : queues) {
        if (ends.consumers.empty()) {
            report.warning(
                {.code = "queue-without-consumer",
                 .at = ends.at,
                 .key = std::string{queue},
                 .message = fmt::format("nobody takes from queue '{}': it only grows", queue),
                 .hint = "add a bee that has it under work.in, or remove the port"});
        } else if (ends.producers.empty()) {
            report.warning(
                {.code = "queue-without-producer",
                 .at = ends.at,
                 .key = std::string{queue},
                 .message = fmt::format("nobody puts anything into queue '{}'", queue),
                 .hint = "add a bee that has it under work.out, or feed it from outside"});
        }
    }
}

class Circles {
public:
    Circles(const std::vector<Bee>& bees, const Queues& queues, Report& report)
        : queues_{queues}, report_{report} {
        for (const Bee& bee : bees) follow(bee);
    }

private:
    // Deep first, without recursion: a scenario may be a chain of thousands.
    void follow(const Bee& start) {
        if (done_.contains(&start)) return;
        std::vector<std::pair<const Bee*, std::vector<const Bee*>>> way;
        way.emplace_back(&start, next(start));
        std::set<const Bee*> on_way{&start};
        while (!way.empty()) {
            auto& [bee, left] = way.back();
            if (left.empty()) {
                done_.insert(bee);
                on_way.erase(bee);
                way.pop_back();
                continue;
            }
            const Bee* to = left.back();
            left.pop_back();
            if (on_way.contains(to)) {
                warn(*bee, *to);
            } else if (!done_.contains(to)) {
                on_way.insert(to);
                way.emplace_back(to, next(*to));
            }
        }
    }

    std::vector<const Bee*> next(const Bee& bee) const {
        std::vector<const Bee*> out;
        for (const Port& port : bee.out) {
            const auto& consumers = queues_.at(port.queue).consumers;
            out.insert(out.end(), consumers.begin(), consumers.end());
        }
        return out;
    }

    void warn(const Bee& from, const Bee& to) {
        report_.warning(
            {.code = "cycle",
             .at = from.out.front().at,
             .key = from.id,
             .message = fmt::format("items go in a circle: from '{}' back to '{}'", from.id, to.id),
             .hint = "make sure that they leave it somewhere"});
    }

    const Queues& queues_;
    Report& report_;
    std::set<const Bee*> done_{};
};

// These have nothing to do without a queue.
bool needs_input(const Bee& bee) {
    constexpr std::array<std::string_view, 5> kinds{
        "moderator", "processor", "postprocessor", "http-builder", "request-builder"};
    if (std::ranges::find(kinds, bee.kind) == kinds.end() || !bee.in.empty()) return false;
    const auto* inputs = bee.config.if_contains("inputs");
    const auto* object = inputs != nullptr ? inputs->if_object() : nullptr;
    const auto* type = object != nullptr ? object->if_contains("type") : nullptr;
    return type == nullptr || *type == "RABBITMQ";
}

} // namespace

void check_flow(Reading& reading) {
    const auto& bees = reading.scenario.bees;
    const Queues queues = queues_of(bees);
    check_ends(queues, reading.report);
    const Circles circles{bees, queues, reading.report};
    for (const Bee& bee : bees) {
        if (!needs_input(bee)) continue;
        reading.report.warning(
            {.code = "bee-without-input",
             .at = bee.written.at,
             .key = bee.id,
             .message = fmt::format("bee '{}' takes from no queue", bee.id),
             .hint = "add `work: { in: { in: <queue> } }`"});
    }
}

} // namespace hive::scenario
