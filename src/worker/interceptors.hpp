#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "redis/list_writer.hpp"
#include "wire/work_item.hpp"
#include "worker/flow_config.hpp"
#include "worker/redis_routing.hpp"
#include "worker/templating.hpp"

#include <memory>
#include <optional>

namespace hive::worker {

Status check_interceptors(const InterceptorConfig& config);

// What is done with each item around the work of a bee. On the bee's strand; nothing waits.
class Interceptors {
public:
    static Result<std::unique_ptr<Interceptors>>
    open(const InterceptorConfig& config, const RenderParts& parts);

    // The error is that of the item's template.
    Status
    before(wire::WorkItem& item, const wire::Stamp& stamp, const wire::HistoryPolicy& history);
    void after(const wire::WorkItem& item);
    void report(json::object& into) const;

private:
    struct Uploader {
        UploadPhase phase;
        RedisRouting routing;
        std::unique_ptr<redis::ListWriter> writer;
    };
    explicit Interceptors(const RenderParts& parts)
        : clock_{parts.clock}, renderer_{parts.seed, parts.sequences} {}
    void upload(const wire::WorkItem& item);

    const Clock& clock_;
    std::optional<templates::Template> template_{};
    Renderer renderer_;
    std::optional<Uploader> uploader_{};
    std::uint64_t not_uploaded_ = 0;
    std::string not_uploaded_because_{};
};

} // namespace hive::worker
