#include "worker/redis_feed.hpp"

#include "kernel/encoding.hpp"
#include "kernel/text.hpp"
#include "worker/job.hpp"

namespace hive::worker {
namespace {

std::vector<redis::ListReader::Source> sources_of(const RedisInput& input) {
    if (!input.list.empty()) return {{input.list}};
    std::vector<redis::ListReader::Source> sources;
    for (const RedisSource& each : input.sources) sources.push_back({each.list, each.weight});
    return sources;
}

} // namespace

RedisFeed::RedisFeed(const RedisInput& input, Parts parts)
    : reader_{
          {.server = input.server,
           .sources = sources_of(input),
           .pick = input.pick,
           .owner = std::move(parts.owner),
           .prefetch = input.prefetch,
           .seed = parts.seed,
           .ring = std::move(parts.ring)}} {}

Result<std::optional<std::uint64_t>> RedisFeed::next(wire::WorkItem& item) {
    auto element = reader_.next();
    if (!element) return std::optional<std::uint64_t>{};
    wire::Step step{};
    if (find_invalid_utf8(element->text)) {
        step.payload = to_base64(bytes_of(element->text));
        step.encoding = wire::Encoding::base64;
    } else {
        step.payload = std::move(element->text);
    }
    item.steps.push_back(std::move(step));
    item.headers.append(header::redis_list, wire::HeaderValue::text(std::move(element->list)));
    ++taken_;
    return std::optional{element->token};
}

Status RedisFeed::done(std::uint64_t token) {
    reader_.done(token);
    return {};
}

Status RedisFeed::refuse(std::uint64_t token) {
    ++refused_;
    reader_.refuse(token);
    return {};
}

wire::InputState RedisFeed::state() const {
    const auto state = reader_.state();
    if (!state.trouble.empty()) return wire::InputState::upstream_error;
    return state.empty ? wire::InputState::out_of_data : wire::InputState::ok;
}

void RedisFeed::report(json::object& into) const {
    json::object about{{"taken", taken_}};
    if (refused_ > 0) about["dead"] = refused_;
    const auto state = reader_.state();
    if (state.empty) about["empty"] = true;
    if (!state.trouble.empty()) about["error"] = state.trouble;
    into["redis"] = std::move(about);
}

} // namespace hive::worker
