#include "worker/redis_routing.hpp"

#include "kernel/bytes.hpp"
#include "kernel/encoding.hpp"

#include <fmt/format.h>

namespace hive::worker {
namespace {

// As the bytes it means.
std::string text_of_step(const wire::WorkItem& item, SourceStep source) {
    if (item.steps.empty()) return {};
    const wire::Step& step = source == SourceStep::first ? item.steps.front() : item.steps.back();
    if (step.encoding == wire::Encoding::base64) {
        if (const auto bytes = from_base64(step.payload)) return std::string{text_of(*bytes)};
    }
    return step.payload;
}

} // namespace

Result<RedisRouting> RedisRouting::compile(const RedisOutput& output, std::string_view key) {
    if (output.routes.empty() && output.target_list_template.empty() &&
        output.default_list.empty()) {
        return fail(
            Errc::invalid,
            fmt::format("config.{} needs routes, targetListTemplate or defaultList", key));
    }
    RedisRouting routing{output};
    for (std::size_t i = 0; i < output.routes.size(); ++i) {
        auto route = compile(output.routes[i], fmt::format("config.{}.routes[{}]", key, i));
        if (!route) return fail(route.error());
        routing.routes_.push_back(*std::move(route));
    }
    if (!output.target_list_template.empty()) {
        auto target =
            compile_setting(output.target_list_template, fmt::format("{}.targetListTemplate", key));
        if (!target) return fail(target.error());
        routing.target_ = *std::move(target);
    }
    return routing;
}

Result<RedisRouting::Route> RedisRouting::compile(const RedisRoute& route, const std::string& key) {
    Route compiled{.header = route.header, .list = route.list};
    if (!route.match.empty()) {
        auto match = templates::Regex::compile(route.match);
        if (!match) return fail(Errc::invalid, key + ".match: " + match.error().detail);
        compiled.match = *std::move(match);
    }
    if (!route.header_match.empty()) {
        auto match = templates::Regex::compile(route.header_match);
        if (!match) return fail(Errc::invalid, key + ".headerMatch: " + match.error().detail);
        compiled.header_match = *std::move(match);
    }
    return compiled;
}

bool RedisRouting::matches(const Route& route, const wire::WorkItem& item, std::string_view text) {
    if (route.match && !route.match->found_in(text)) return false;
    if (!route.header_match) return true;
    const auto* value = item.headers.find(route.header);
    return value != nullptr && route.header_match->found_in(value->str());
}

Result<redis::Push> RedisRouting::push_of(const wire::WorkItem& item, Timestamp now) {
    std::string text = text_of_step(item, source_);
    auto list = list_of(item, text, now);
    if (!list) return fail(list.error());
    return redis::Push{*std::move(list), std::move(text)};
}

Result<std::string>
RedisRouting::list_of(const wire::WorkItem& item, std::string_view text, Timestamp now) {
    for (const Route& route : routes_) {
        if (matches(route, item, text)) return route.list;
    }
    if (target_) {
        std::string list;
        renderer_->look_at(item, now);
        if (auto ok = renderer_->render(*target_, list); !ok) {
            return fail(ok.error().code, "targetListTemplate: " + ok.error().detail);
        }
        if (!list.empty()) return list;
    }
    if (!default_.empty()) return default_;
    ++unrouted_;
    return std::string{no_list};
}

} // namespace hive::worker
