#include "bees/trigger/rest_action.hpp"

#include "bees/processor/call_result.hpp"
#include "bees/processor/request_builder.hpp"
#include "call/lane.hpp"
#include "worker/request_text.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>

namespace hive::bees {
namespace {

using worker::Job;
using worker::Line;

constexpr std::size_t calls_max = 64; // under way at a time

// What the lane hands back, until the bee looks. Shared with its thread.
struct Returned {
    std::mutex mutex;
    std::vector<call::Done> calls;
};

ProcessorConfig processor_config(const TriggerConfig& config) {
    return {
        .base_url = "http://localhost", // never called: each request has a URL of its own
        .thread_count = calls_max,
        .timeout_ms = config.timeout_ms,
        .connect_timeout_ms = config.timeout_ms,
        .first_byte_timeout_ms = config.timeout_ms,
        .verify_tls = config.verify_tls,
        .kept_body_bytes = config.output_bytes_max};
}

Result<worker::RequestText> text_of(const TriggerConfig& config) {
    auto method = worker::compile_setting(config.method, "method");
    if (!method) return fail(method.error());
    auto url = worker::compile_setting(config.url, "url");
    if (!url) return fail(url.error());
    worker::RequestParts parts{.method = *std::move(method), .path = *std::move(url)};
    if (!config.body.empty()) {
        auto body = worker::compile_setting(config.body, "body");
        if (!body) return fail(body.error());
        parts.body = *std::move(body);
    }
    for (const auto& [name, value] : config.headers) {
        auto text = worker::compile_setting(value, "headers." + name);
        if (!text) return fail(text.error());
        parts.headers.push_back({name, *std::move(text)});
    }
    return worker::RequestText{std::move(parts)};
}

class RestAction final : public Action {
public:
    RestAction(worker::RequestText text, const worker::WorkloadParts& parts)
        : parts_{parts}, text_{std::move(text)},
          renderer_{parts.chance->seed("templates"), parts.sequences} {}

    Status start(const TriggerConfig& config) {
        auto builder = RequestBuilder::make(processor_config(config));
        if (!builder) return fail(builder.error());
        builder_ = *std::move(builder);
        auto lane = call::Lane::start(
            options_of(processor_config(config)),
            {.done = [returned = returned_, post = parts_.strand.poster(),
                      self = std::weak_ptr{alive_}, this](std::vector<call::Done>& done) {
                {
                    const std::lock_guard lock{returned->mutex};
                    for (call::Done& each : done) returned->calls.push_back(std::move(each));
                }
                post([self, this] {
                    if (self.lock()) look();
                });
            }});
        if (!lane) return fail(lane.error());
        lane_ = *std::move(lane);
        return {};
    }

    std::size_t room() const override { return calls_max - std::min(calls_max, jobs_.size()); }

    void begin(Job& job, Line& line) override {
        line_ = &line;
        wire::WorkItem request{.steps = {{}}};
        renderer_.look_at(*job.item, parts_.clock.wall());
        auto ok = text_.render(renderer_, request.steps.back().payload);
        std::vector<call::Call> calls(1);
        calls.front().id = ++last_id_;
        if (ok) ok = builder_->build(request, calls.front());
        if (ok) ok = lane_->submit(calls);
        if (!ok) {
            add(ok.error().detail);
            return line.reject(job, ok.error().detail);
        }
        jobs_.emplace(last_id_, job);
    }

private:
    void look() {
        std::vector<call::Done> all;
        {
            const std::lock_guard lock{returned_->mutex};
            all.swap(returned_->calls);
        }
        for (const call::Done& done : all) {
            auto job = jobs_.extract(done.call.id);
            if (job.empty()) continue;
            auto step = result_step(done, std::nullopt, ResultDetail::full);
            step.by = line_->stamp();
            job.mapped().item->add_step(std::move(step), line_->history());
            add(problem_of(done));
            line_->forward(job.mapped());
        }
    }

    static std::string problem_of(const call::Done& done) {
        if (!done.ok()) {
            return fmt::format("{}: {}", name_of(done.failure.error), done.failure.detail);
        }
        return succeeded(done) ? std::string{} : fmt::format("status {}", done.status);
    }

    worker::WorkloadParts parts_;
    worker::RequestText text_;
    worker::Renderer renderer_;
    std::unique_ptr<RequestBuilder> builder_{};
    Line* line_ = nullptr;
    std::map<std::uint64_t, Job> jobs_{}; // by the id of their call
    std::uint64_t last_id_ = 0;
    std::shared_ptr<Returned> returned_ = std::make_shared<Returned>();
    std::shared_ptr<int> alive_ = std::make_shared<int>(0);
    std::unique_ptr<call::Lane> lane_{};
};

} // namespace

Result<std::unique_ptr<Action>>
make_rest_action(const TriggerConfig& config, const worker::WorkloadParts& parts) {
    auto text = text_of(config);
    if (!text) return fail(text.error());
    auto action = std::make_unique<RestAction>(*std::move(text), parts);
    if (auto ok = action->start(config); !ok) return fail(ok.error());
    return action;
}

} // namespace hive::bees
