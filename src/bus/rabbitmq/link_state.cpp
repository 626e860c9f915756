#include "bus/rabbitmq/link_state.hpp"

#include <algorithm>

namespace hive::bus::rabbitmq {

void LinkState::set(Side side, Link link, std::string_view why) {
    const std::lock_guard lock{mutex_};
    (side == Side::publish ? publish_ : consume_) = link;
    show(std::max(publish_, consume_), why); // Link is ordered from best to worst
}

void LinkState::close(std::string_view why) {
    const std::lock_guard lock{mutex_};
    show(Link::closed, why);
}

void LinkState::show(Link link, std::string_view why) {
    if (shown_ == link || shown_ == Link::closed) return;
    shown_ = link;
    if (listener_) listener_(link, why);
}

} // namespace hive::bus::rabbitmq
