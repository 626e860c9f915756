#include "bees/http_builder/http_builder.hpp"

#include "bees/http_builder/template_set.hpp"
#include "kernel/text.hpp"
#include "worker/kind.hpp"

namespace hive::bees {
namespace {

using worker::Job;
using worker::Line;
namespace header = worker::header;

struct BuilderConfig {
    std::string root = "/app/http-templates";
    std::string service = "default";
    bool pass_through = true;
    bool operator==(const BuilderConfig&) const = default;
};

void describe(FieldTable& fields, BuilderConfig& config) {
    fields.add("templateRoot", config.root)
        .required()
        .help("The folder with a template for each call: <service>/<call>.yaml");
    fields.add("serviceId", config.service)
        .help("Of items that do not say theirs in the header x-ph-service-id");
    fields.add("passThroughOnMissingTemplate", config.pass_through)
        .help("Whether an item without a template goes on as it is, or ends here");
}

class Builder final : public worker::WorkWith<BuilderConfig> {
public:
    explicit Builder(const worker::WorkloadParts& parts)
        : parts_{parts}, reported_at_{parts.clock.now()} {}

    void configure(BuilderConfig config) override {
        auto set = TemplateSet::load(config.root);
        if (!set) return parts_.give_up(set.error().detail); // judged before
        set_ = *std::move(set);
        renew_renderer();
        config_ = std::move(config);
    }

    void take(std::span<Job> jobs, Line& line) override {
        if (!renderer_) renew_renderer();
        const Timestamp now = parts_.clock.wall();
        for (Job& job : jobs) {
            CallTemplate* call = choose(job.item->headers);
            call == nullptr ? miss(job, line) : build(*call, job, line, now);
        }
    }

    void report(json::object& into) override {
        const TimePoint now = parts_.clock.now();
        const double seconds = std::chrono::duration<double>(now - reported_at_).count();
        into["templateRoot"] = config_.root;
        into["serviceId"] = config_.service;
        into["templates"] = set_.size();
        into["errorCount"] = errors_;
        const auto since = static_cast<double>(errors_ - errors_before_);
        into["errorTps"] = seconds > 0 ? since / seconds : 0.0;
        if (!last_error_.empty()) into["lastError"] = last_error_;
        errors_before_ = errors_;
        reported_at_ = now;
    }

private:
    void renew_renderer() {
        const std::uint64_t seed = parts_.chance->seed("templates");
        if (renderer_ && seed == seed_) return;
        renderer_.emplace(seed, parts_.sequences);
        seed_ = seed;
    }

    CallTemplate* choose(const wire::Headers& headers) {
        const auto service = headers.text(header::service_id);
        return set_.find(
            service.empty() ? std::string_view{config_.service} : service,
            headers.text(header::call_id));
    }

    void miss(Job& job, Line& line) {
        const auto& headers = job.item->headers;
        const auto service = headers.text(header::service_id);
        const auto call = headers.text(header::call_id);
        count_error(fmt::format(
            "no template for call '{}' of service '{}'", printable(call),
            printable(service.empty() ? std::string_view{config_.service} : service)));
        config_.pass_through ? line.forward(job) : line.finish(job);
    }

    void build(CallTemplate& call, Job& job, Line& line, Timestamp now) {
        wire::Step step{.by = line.stamp()};
        renderer_->look_at(*job.item, now);
        if (auto ok = call.request.render(*renderer_, step.payload); !ok) {
            count_error(fmt::format("{}/{}: {}", call.service, call.call, ok.error().detail));
            return line.reject(job, last_error_); // the same item would fail again
        }
        job.item->add_step(std::move(step), line.history());
        // Whoever measures tells calls apart by these.
        job.item->headers.set(header::service_id, call.service);
        job.item->headers.set(header::call_id, call.call);
        line.forward(job);
    }

    void count_error(std::string what) {
        ++errors_;
        last_error_ = std::move(what);
    }

    worker::WorkloadParts parts_;
    std::uint64_t seed_ = 0; // of the renderer
    BuilderConfig config_{};
    TemplateSet set_{};
    std::optional<worker::Renderer> renderer_{};
    std::uint64_t errors_ = 0;
    std::uint64_t errors_before_ = 0;
    std::string last_error_{};
    TimePoint reported_at_;
};

Status check(const BuilderConfig& config) {
    const auto set = TemplateSet::load(config.root);
    if (!set) return fail(set.error());
    if (set->size() > 0) return {};
    return fail(
        Errc::invalid, fmt::format(
                           "config.templateRoot: '{}' has no template; expected files like "
                           "<service>/<call>.yaml",
                           config.root));
}

} // namespace

worker::BeeKind http_builder(std::string role) {
    return worker::make_kind<BuilderConfig>(
        std::move(role),
        [](const worker::WorkloadParts& parts)
            -> Result<std::unique_ptr<worker::WorkWith<BuilderConfig>>> {
            return std::make_unique<Builder>(parts);
        },
        check);
}

} // namespace hive::bees
