#pragma once

#include "worker/flow_config.hpp"
#include "worker/source.hpp"

#include <functional>
#include <memory>
#include <string>

namespace hive::worker {

// Items of one work queue.
class QueueSource final : public Source {
public:
    struct Options {
        std::string queue;
        QueueInput input{};
        std::uint32_t number = 0; // among the line's sources
        std::function<void()> ring;
        const Clock* clock = nullptr;
    };
    static Result<std::unique_ptr<Source>> open(bus::WorkBus& bus, Options options);

    Status take(std::size_t max, std::vector<Job>& out) override;
    std::optional<TimePoint> next() const override { return std::nullopt; }
    Status done(std::span<const std::uint64_t> tags) override { return receiver_->ack(tags); }
    Status refuse(const Job& job, bus::Verdict verdict, std::string_view reason) override;
    wire::InputState state() const override { return wire::InputState::ok; }
    void report(json::object& into) const override;

private:
    QueueSource(std::unique_ptr<bus::WorkReceiver> receiver, Options options)
        : receiver_{std::move(receiver)}, options_{std::move(options)} {}

    std::unique_ptr<bus::WorkReceiver> receiver_;
    Options options_;
    std::uint64_t redelivered_ = 0;
    std::uint64_t dead_ = 0;
};

} // namespace hive::worker
