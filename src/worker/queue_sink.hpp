#pragma once

#include "bus/work_bus.hpp"
#include "worker/flow_config.hpp"
#include "worker/setup.hpp"
#include "worker/sink.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace hive::worker {

// The bee's own queues: each item goes out at every port.
class QueueSink final : public Sink {
public:
    struct Options {
        const WorkPorts* ports = nullptr;
        QueueOutput output{};
        std::function<void()> ring;
    };
    static Result<std::unique_ptr<Sink>> open(bus::WorkBus& bus, const Options& options);

    Result<std::size_t> send(bus::ItemRefs items) override;
    std::uint64_t accepted() const override { return accepted_; }
    std::uint64_t confirmed() const override { return sender_->confirmed() / routes_.size(); }
    wire::OutputState state() override;
    void report(json::object& into) const override;

private:
    QueueSink(std::unique_ptr<bus::WorkSender> sender, const Options& options);
    Result<std::size_t> send_to_all(bus::ItemRefs items);

    std::unique_ptr<bus::WorkSender> sender_;
    std::vector<bus::Route> routes_;
    wire::WorkItem copy_{};
    std::size_t at_ = 0; // which port the first item has come to
    std::uint64_t accepted_ = 0;
    std::uint64_t accepted_before_ = 0; // at the last look
    bool blocked_ = false;
};

} // namespace hive::worker
