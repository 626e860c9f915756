#include "worker/interceptors.hpp"

#include "worker/job.hpp"
#include "worker/redis_sink.hpp"

namespace hive::worker {
namespace {

constexpr std::string_view uploader_key = "interceptors.redisUploader";

} // namespace

Status check_interceptors(const InterceptorConfig& config) {
    if (config.templating) {
        const auto text =
            compile_setting(config.templating->text, "interceptors.templating.template");
        if (!text) return fail(text.error());
    }
    if (!config.redis_uploader) return {};
    const auto routing = RedisRouting::compile(config.redis_uploader->output, uploader_key);
    return routing ? Status{} : fail(routing.error());
}

Result<std::unique_ptr<Interceptors>>
Interceptors::open(const InterceptorConfig& config, const RenderParts& parts) {
    std::unique_ptr<Interceptors> made{new Interceptors{parts}};
    if (config.templating) {
        auto text = compile_setting(config.templating->text, "interceptors.templating.template");
        if (!text) return fail(text.error());
        made->template_ = *std::move(text);
    }
    if (config.redis_uploader) {
        auto routing = RedisRouting::compile(config.redis_uploader->output, uploader_key);
        if (!routing) return fail(routing.error());
        routing->count_on(parts);
        made->uploader_.emplace(Uploader{
            config.redis_uploader->phase, *std::move(routing),
            std::make_unique<redis::ListWriter>(writer_of(config.redis_uploader->output, {}))});
    }
    return made;
}

Status Interceptors::before(
    wire::WorkItem& item, const wire::Stamp& stamp, const wire::HistoryPolicy& history) {
    // An item that is tried again has been here before.
    const bool rendered = !item.steps.empty() &&
                          item.steps.back().headers.find(header::templated) != nullptr &&
                          item.steps.back().by == stamp;
    if (template_ && !rendered) {
        wire::Step step{.by = stamp};
        step.headers.append(header::templated, wire::HeaderValue::json("true"));
        renderer_.look_at(item, clock_.wall());
        if (auto ok = renderer_.render(*template_, step.payload); !ok) return ok;
        item.add_step(std::move(step), history);
    }
    if (uploader_ && uploader_->phase == UploadPhase::before) upload(item);
    return {};
}

void Interceptors::after(const wire::WorkItem& item) {
    if (uploader_ && uploader_->phase == UploadPhase::after) upload(item);
}

// A copy that finds no room is counted: it must not hold up the item itself.
void Interceptors::upload(const wire::WorkItem& item) {
    auto push = uploader_->routing.push_of(item, clock_.wall());
    if (!push) not_uploaded_because_ = push.error().detail;
    if (!push || !uploader_->writer->offer(*push)) ++not_uploaded_;
}

void Interceptors::report(json::object& into) const {
    if (!uploader_) return;
    json::object about{{"uploaded", uploader_->writer->confirmed()}, {"missed", not_uploaded_}};
    const auto trouble = uploader_->writer->trouble();
    const std::string& error = trouble.empty() ? not_uploaded_because_ : trouble;
    if (!error.empty()) about["error"] = error;
    into["redisUploader"] = std::move(about);
}

} // namespace hive::worker
