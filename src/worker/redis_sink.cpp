#include "worker/redis_sink.hpp"

namespace hive::worker {

redis::ListWriter::Options writer_of(const RedisOutput& output, std::function<void()> ring) {
    return {
        .server = output.server,
        .end = output.push_direction,
        .max_length = output.max_len,
        .window = output.window,
        .ring = std::move(ring)};
}

Result<std::unique_ptr<Sink>>
RedisSink::open(const RedisOutput& output, const RenderParts& parts, std::function<void()> ring) {
    auto routing = RedisRouting::compile(output, "outputs.redis");
    if (!routing) return fail(routing.error());
    routing->count_on(parts);
    return std::unique_ptr<Sink>{
        new RedisSink{*std::move(routing), parts.clock, writer_of(output, std::move(ring))}};
}

Status RedisSink::admit(const wire::WorkItem& item) {
    auto push = routing_.push_of(item, clock_.wall());
    if (!push) return fail(push.error());
    waiting_.push_back(*std::move(push));
    return {};
}

Result<std::size_t> RedisSink::send(bus::ItemRefs items) {
    std::size_t sent = 0;
    for (; sent < items.size() && writer_.offer(waiting_.front()); ++sent) waiting_.pop_front();
    blocked_ = sent < items.size();
    return sent;
}

wire::OutputState RedisSink::state() {
    if (!writer_.trouble().empty()) return wire::OutputState::downstream_error;
    return blocked_ ? wire::OutputState::blocked : wire::OutputState::ok;
}

void RedisSink::report(json::object& into) const {
    json::object about{{"confirmed", writer_.confirmed()}};
    if (const auto open = writer_.accepted() - writer_.confirmed(); open > 0) {
        about["unconfirmed"] = open;
    }
    if (routing_.unrouted() > 0) about["unrouted"] = routing_.unrouted();
    if (const auto trouble = writer_.trouble(); !trouble.empty()) about["error"] = trouble;
    into["redisOutput"] = std::move(about);
}

} // namespace hive::worker
