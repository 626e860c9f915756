#include "bees/postprocessor/postprocessor.hpp"

#include "bees/postprocessor/clickhouse.hpp"
#include "bees/postprocessor/json_lines.hpp"
#include "bees/postprocessor/measure.hpp"
#include "bees/postprocessor/measure_text.hpp"
#include "bees/postprocessor/outcome_row.hpp"
#include "worker/kind.hpp"

#include <algorithm>
#include <mutex>

namespace hive::bees {
namespace {

using worker::Job;
using worker::Line;

struct SinksConfig {
    JsonLinesConfig json_lines{};
    ClickHouseConfig clickhouse{};
    bool operator==(const SinksConfig&) const = default;
};
void describe(FieldTable& fields, SinksConfig& config) {
    fields.add("jsonLines", config.json_lines);
    fields.add("clickhouse", config.clickhouse);
}

struct PostprocessorConfig {
    bool forward = false;
    SinksConfig sinks{};
    bool share_histograms = false;
    std::string reset{};
};
void describe(FieldTable& fields, PostprocessorConfig& config) {
    fields.add("forwardToOutput", config.forward)
        .help("Whether items go on to the bee's output, or end here");
    fields.add("sinks", config.sinks); // beside the status
    fields.add("shareHistograms", config.share_histograms)
        .help("Whether a status carries whole histograms, which whoever reads it can merge");
    fields.add("reset", config.reset)
        .help("Any text; whenever it is another one, measuring begins anew");
}

class Postprocessor final : public worker::WorkWith<PostprocessorConfig> {
public:
    explicit Postprocessor(const worker::WorkloadParts& parts) : parts_{parts} {
        if (parts_.metrics == nullptr) return;
        page_ = parts_.metrics->post([this](telemetry::MetricsPage& page) {
            const worker::Identity& self = parts_.setup.self;
            const std::scoped_lock lock{mutex_};
            write_metrics(
                page, {measure_, self.swarm.text(), self.role.text(), self.instance.text()});
        });
    }

    void configure(PostprocessorConfig config) override {
        if (config.reset != config_.reset) {
            const std::scoped_lock lock{mutex_};
            measure_.clear();
        }
        const bool rewired = config.sinks != config_.sinks;
        config_ = std::move(config);
        if (rewired) open_sinks();
    }

    void take(std::span<Job> jobs, Line& line) override {
        const Timestamp now = line.clock().wall();
        const std::scoped_lock lock{mutex_};
        for (Job& job : jobs) {
            const CallOutcome outcome = measure_.add(*job.item, now);
            if (outcome.measured && !sinks_.empty()) write(outcome, *job.item, now);
            config_.forward ? line.forward(job) : line.finish(job);
        }
    }

    void set_enabled(bool enabled) override {
        if (enabled) return;
        for (auto& sink : sinks_) sink->flush();
    }

    wire::OutputState output() const override {
        const bool healthy =
            std::ranges::all_of(sinks_, [](const auto& sink) { return sink->healthy(); });
        return healthy ? wire::OutputState::ok : wire::OutputState::downstream_error;
    }

    void report(json::object& into) override {
        bees::report(measure_, into);
        if (config_.share_histograms) share(measure_, into);
        if (sinks_.empty()) return;
        json::object sinks;
        for (auto& sink : sinks_) {
            sink->each_second();
            sink->report(sinks);
        }
        into["sinks"] = std::move(sinks);
    }

private:
    void open_sinks() {
        sinks_.clear();
        if (!config_.sinks.json_lines.path.empty()) {
            auto file = JsonLines::open(config_.sinks.json_lines);
            if (!file) return parts_.give_up(file.error().detail);
            sinks_.push_back(*std::move(file));
        }
        if (!config_.sinks.clickhouse.url.empty()) {
            auto table = ClickHouse::open(config_.sinks.clickhouse, parts_);
            if (!table) return parts_.give_up(table.error().detail);
            sinks_.push_back(*std::move(table));
        }
    }

    void write(const CallOutcome& outcome, const wire::WorkItem& item, Timestamp now) {
        const worker::Identity& self = parts_.setup.self;
        const auto row = outcome_row(
            outcome, item, {self.swarm.text(), self.role.text(), self.instance.text()}, now);
        for (auto& sink : sinks_) sink->add(row);
    }

    worker::WorkloadParts parts_;
    PostprocessorConfig config_{};
    std::mutex mutex_{}; // changes of the measure: others read it for a page of metrics
    Measure measure_{};
    std::vector<std::unique_ptr<OutcomeSink>> sinks_{};
    Subscription page_{}; // first to go
};

Status judge(const PostprocessorConfig& config) {
    if (auto ok = check(config.sinks.clickhouse); !ok) return ok;
    if (config.sinks.json_lines.path.empty()) return {};
    const auto file = JsonLines::open(config.sinks.json_lines);
    return file ? Status{} : fail(file.error());
}

} // namespace

worker::BeeKind postprocessor() {
    return worker::make_kind<PostprocessorConfig>(
        "postprocessor",
        [](const worker::WorkloadParts& parts)
            -> Result<std::unique_ptr<worker::WorkWith<PostprocessorConfig>>> {
            return std::make_unique<Postprocessor>(parts);
        },
        judge);
}

} // namespace hive::bees
