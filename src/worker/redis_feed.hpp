#pragma once

#include "redis/list_reader.hpp"
#include "worker/feed.hpp"
#include "worker/redis_config.hpp"

#include <functional>
#include <string>

namespace hive::worker {

// Elements of lists in Redis; each leaves the server when what it became is safe.
class RedisFeed final : public Feed {
public:
    struct Parts {
        std::string owner; // of what is under way; the same after a restart of the bee
        std::uint64_t seed = 1;
        std::function<void()> ring;
    };
    RedisFeed(const RedisInput& input, Parts parts);

    Result<std::optional<std::uint64_t>> next(wire::WorkItem& item) override;
    std::optional<TimePoint> again() const override { return std::nullopt; }
    Status done(std::uint64_t token) override;
    Status refuse(std::uint64_t token) override;
    wire::InputState state() const override;
    void report(json::object& into) const override;

private:
    redis::ListReader reader_;
    std::uint64_t taken_ = 0;
    std::uint64_t refused_ = 0;
};

} // namespace hive::worker
