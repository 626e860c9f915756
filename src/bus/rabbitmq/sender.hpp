#pragma once

#include "bus/rabbitmq/outbox.hpp"
#include "bus/rabbitmq/publish_loop.hpp"
#include "bus/work_bus.hpp"

#include <memory>

namespace hive::bus::rabbitmq {

// Encodes on its caller's thread; the publish loop does the rest.
class Sender final : public WorkSender {
public:
    struct Terms {
        bool persistent;
        std::size_t item_bytes_max; // encoded
    };
    Sender(std::shared_ptr<PublishLoop> loop, std::shared_ptr<Outbox> outbox, Terms terms)
        : loop_{std::move(loop)}, outbox_{std::move(outbox)}, terms_{terms} {}
    ~Sender() override;

    Result<std::size_t> send(const Route& route, ItemRefs items, Duration wait) override;
    std::uint64_t accepted() const override { return outbox_->accepted(); }
    std::uint64_t confirmed() const override { return outbox_->confirmed(); }
    Status flush(Duration within) override { return outbox_->flush(deadline_after(within)); }

private:
    Status encode(const Route& route, ItemRefs items);

    std::shared_ptr<PublishLoop> loop_;
    std::shared_ptr<Outbox> outbox_; // outlives the sender until everything is confirmed
    const Terms terms_;
};

} // namespace hive::bus::rabbitmq
