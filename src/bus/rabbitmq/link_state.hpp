#pragma once

#include "bus/connection.hpp"

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>

namespace hive::bus::rabbitmq {

// One answer from two AMQP connections: the worst of both. Listeners hear changes in order.
class LinkState {
public:
    explicit LinkState(LinkListener listener) : listener_{std::move(listener)} {}

    enum class Side : std::uint8_t { publish, consume };
    void set(Side side, Link link, std::string_view why);
    void close(std::string_view why); // the last word
    Link get() const noexcept { return shown_; }

private:
    void show(Link link, std::string_view why);

    const LinkListener listener_;
    std::mutex mutex_;
    Link publish_ = Link::up;
    Link consume_ = Link::up;
    std::atomic<Link> shown_{Link::up};
};

} // namespace hive::bus::rabbitmq
