#pragma once

#include "worker/redis_routing.hpp"
#include "worker/sink.hpp"

#include <deque>
#include <functional>
#include <memory>

namespace hive::worker {

// Lists in Redis. A server that is away holds items back; none is lost.
class RedisSink final : public Sink {
public:
    static Result<std::unique_ptr<Sink>>
    open(const RedisOutput& output, const RenderParts& parts, std::function<void()> ring);

    Status admit(const wire::WorkItem& item) override;
    Result<std::size_t> send(bus::ItemRefs items) override;
    std::uint64_t accepted() const override { return writer_.accepted(); }
    std::uint64_t confirmed() const override { return writer_.confirmed(); }
    wire::OutputState state() override;
    void report(json::object& into) const override;

private:
    RedisSink(RedisRouting routing, const Clock& clock, redis::ListWriter::Options options)
        : routing_{std::move(routing)}, clock_{clock}, writer_{std::move(options)} {}

    RedisRouting routing_;
    const Clock& clock_;
    std::deque<redis::Push> waiting_{}; // of items that were admitted and not yet sent
    bool blocked_ = false;
    redis::ListWriter writer_;
};

redis::ListWriter::Options writer_of(const RedisOutput& output, std::function<void()> ring);

} // namespace hive::worker
