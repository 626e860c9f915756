#pragma once

#include "redis/list_writer.hpp"
#include "template/regex.hpp"
#include "wire/work_item.hpp"
#include "worker/redis_config.hpp"
#include "worker/templating.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::worker {

// Which list an item is pushed to, and what of it.
class RedisRouting {
public:
    static constexpr std::string_view no_list = "ph:unrouted"; // where nothing says where to

    // The error begins with `key`, where the settings are.
    static Result<RedisRouting> compile(const RedisOutput& output, std::string_view key);

    // With the sequences and the chance of its bee instead of its own.
    void count_on(const RenderParts& parts) {
        renderer_ = std::make_unique<Renderer>(parts.seed, parts.sequences);
    }
    // The error is that of the template for the list: nobody knows where the item belongs.
    Result<redis::Push> push_of(const wire::WorkItem& item, Timestamp now);
    std::uint64_t unrouted() const noexcept { return unrouted_; }

private:
    struct Route {
        std::optional<templates::Regex> match{};
        std::string header{};
        std::optional<templates::Regex> header_match{};
        std::string list{};
    };
    explicit RedisRouting(const RedisOutput& output)
        : source_{output.source_step}, default_{output.default_list},
          renderer_{std::make_unique<Renderer>(1)} {}
    static Result<Route> compile(const RedisRoute& route, const std::string& key);
    static bool matches(const Route& route, const wire::WorkItem& item, std::string_view text);
    Result<std::string> list_of(const wire::WorkItem& item, std::string_view text, Timestamp now);

    SourceStep source_;
    std::string default_;
    std::vector<Route> routes_{};
    std::optional<templates::Template> target_{};
    std::unique_ptr<Renderer> renderer_; // templates hold on to where it is
    std::uint64_t unrouted_ = 0;
};

} // namespace hive::worker
