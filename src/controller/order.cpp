#include "controller/order.hpp"

#include <algorithm>

namespace hive::controller {
namespace {

bool feeds(const BeeSpec& producer, const BeeSpec& consumer) {
    return std::ranges::any_of(producer.out, [&](const Port& out) {
        return std::ranges::find(consumer.in, out.queue, &Port::queue) != consumer.in.end();
    });
}

} // namespace

StartOrder start_order(const Template& plan) {
    const std::size_t count = plan.bees.size();
    StartOrder order{.rank_of = std::vector<std::size_t>(count, 0)};
    std::vector<bool> placed(count, false);
    std::size_t left = count;
    while (left > 0) {
        std::vector<std::size_t> next;
        for (std::size_t bee = 0; bee < count; ++bee) {
            bool waits = placed[bee];
            for (std::size_t other = 0; other < count && !waits; ++other) {
                // A bee that feeds itself or its twins waits for nobody.
                const bool same = plan.bees[other].bee == plan.bees[bee].bee;
                waits = !placed[other] && !same && feeds(plan.bees[other], plan.bees[bee]);
            }
            if (!waits) next.push_back(bee);
        }
        if (next.empty()) { // everyone left waits for another: take the one declared first
            order.cyclic = true;
            const auto first = std::ranges::find(placed, false) - placed.begin();
            next.push_back(static_cast<std::size_t>(first));
        }
        for (const std::size_t bee : next) {
            placed[bee] = true;
            order.rank_of[bee] = order.ranks;
        }
        ++order.ranks;
        left -= next.size();
    }
    return order;
}

} // namespace hive::controller
