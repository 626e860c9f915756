#pragma once

#include "bus/work_bus.hpp"
#include "worker/outputs.hpp"
#include "worker/selector.hpp"
#include "worker/sink.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace hive::worker {

// The bee's own queues where selectors say which of them an item goes to. It is confirmed once all
// its copies are; one that no selector wants ends here and is counted.
class ChoosingSink final : public Sink {
public:
    static Result<std::unique_ptr<Sink>> open(const QueueOutput& output, const SinkParts& parts);

    Result<std::size_t> send(bus::ItemRefs items) override;
    std::uint64_t accepted() const override { return settled_ + ends_.size(); }
    std::uint64_t confirmed() const override;
    wire::OutputState state() override;
    void report(json::object& into) const override;

private:
    struct Target {
        std::string port;
        bus::Route route;
        std::uint64_t items = 0;
    };
    ChoosingSink(std::unique_ptr<bus::WorkSender> sender, PortChoice choice, const Clock& clock);
    Result<bool> send_copies(wire::WorkItem& item);
    void forget_confirmed();

    std::unique_ptr<bus::WorkSender> sender_;
    PortChoice choice_;
    const Clock& clock_;
    std::vector<Target> targets_{};
    std::vector<std::size_t> chosen_{}; // for the item at the front
    bool choosing_ = true;              // it has none yet
    std::size_t at_ = 0;                // how many of them have it
    wire::WorkItem copy_{};
    // For each item how many copies the sender had taken by its end: what must be confirmed.
    std::deque<std::uint64_t> ends_{};
    std::uint64_t settled_ = 0; // items before those
    std::uint64_t copies_ = 0;
    std::uint64_t unrouted_ = 0;
    std::uint64_t accepted_before_ = 0; // at the last look
    bool blocked_ = false;
};

} // namespace hive::worker
