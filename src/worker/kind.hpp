#pragma once

#include "kernel/fields.hpp"
#include "worker/flow_config.hpp"
#include "worker/inputs.hpp"
#include "worker/interceptors.hpp"
#include "worker/line.hpp"
#include "worker/outputs.hpp"
#include "worker/sequences.hpp"
#include "worker/workload.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace hive::worker {

// A bee's own settings beside those of every bee, in one object.
template <Described Config>
struct Whole {
    FlowConfig flow{};
    Config own{};
};
template <Described Config>
void describe(FieldTable& fields, Whole<Config>& whole) {
    describe(fields, whole.flow);
    describe(fields, whole.own);
}

// A work with settings of its own, which have been judged before it gets them.
template <Described Config>
class WorkWith : public Work {
public:
    virtual void configure(Config config) = 0;
};

template <Described Config>
using MakeWork = std::function<Result<std::unique_ptr<WorkWith<Config>>>(const WorkloadParts&)>;
// Says what is wrong with settings beyond their types, such as a template that does not compile.
template <Described Config>
using Judge = std::function<Status(const Config&)>;

// Whatever has templates uses these too.
struct Shared {
    std::shared_ptr<BeeSequences> sequences;
    std::shared_ptr<Chance> chance;
};

// A work on a line: what the shell of a bee drives.
template <Described Config>
class LineWorkload final : public Workload {
public:
    LineWorkload(const WorkloadParts& parts, Shared shared, std::unique_ptr<WorkWith<Config>> work)
        : shared_{std::move(shared)}, work_{std::move(work)}, line_{
                                                                  {.setup = parts.setup,
                                                                   .bus = parts.bus,
                                                                   .strand = parts.strand,
                                                                   .clock = parts.clock,
                                                                   .log = parts.log,
                                                                   .give_up = parts.give_up,
                                                                   .sequences = shared_.sequences,
                                                                   .chance = shared_.chance},
                                                                  *work_} {}

    void configure(const json::object& config) override {
        auto whole = bind<Whole<Config>>(config);
        if (!whole) return; // judged before
        shared_.sequences->configure(whole->flow.redis);
        shared_.chance->configure(whole->flow.seed);
        work_->configure(std::move(whole->own));
        line_.configure(std::move(whole->flow));
    }
    void set_enabled(bool enabled) override { line_.set_enabled(enabled); }
    bool busy() const override { return line_.busy(); }
    WorkloadReport report() override {
        WorkloadReport report = line_.report();
        shared_.sequences->report(report.details);
        return report;
    }

private:
    Shared shared_;
    std::unique_ptr<WorkWith<Config>> work_;
    Line line_; // first to go: it takes back what the work holds
};

// A kind of bee from its work and its settings.
template <Described Config>
BeeKind make_kind(std::string role, MakeWork<Config> make, Judge<Config> judge = {}) {
    BeeKind kind;
    kind.role = std::move(role);
    kind.check = [judge = std::move(judge)](const json::object& config) -> Status {
        auto whole = bind<Whole<Config>>(config);
        if (!whole) return fail(whole.error());
        if (auto ok = check_inputs(whole->flow.inputs); !ok) return ok;
        if (auto ok = check_outputs(whole->flow.outputs); !ok) return ok;
        if (auto ok = check_interceptors(whole->flow.interceptors); !ok) return ok;
        return judge ? judge(whole->own) : Status{};
    };
    kind.shown = [](const json::object& config) { return without_secrets<Whole<Config>>(config); };
    kind.problems = [check = kind.check](const json::object& config) {
        FieldProblems problems = problems_of<Whole<Config>>(config);
        if (!problems.empty()) return problems;
        if (auto ok = check(config); !ok) {
            problems.push_back(
                {.path = "config", .code = "bad-value", .message = ok.error().detail});
        }
        return problems;
    };
    kind.fields = [] { return fields_of<Whole<Config>>(); };
    kind.make =
        [make = std::move(make)](const WorkloadParts& parts) -> Result<std::unique_ptr<Workload>> {
        const Shared shared{
            std::make_shared<BeeSequences>(),
            std::make_shared<Chance>(parts.entropy, parts.setup.self.instance)};
        WorkloadParts own = parts;
        own.sequences = shared.sequences;
        own.chance = shared.chance;
        auto work = make(own);
        if (!work) return fail(work.error());
        return std::make_unique<LineWorkload<Config>>(parts, shared, *std::move(work));
    };
    return kind;
}

// The item that a simple bee is given.
class Item {
public:
    Item(Job& job, Line& line) : job_{job}, line_{line} {}

    std::string_view payload() const { return job_.item->payload(); }
    wire::Headers& headers() { return job_.item->headers; }
    wire::WorkItem& whole() { return *job_.item; }
    // What it has become, as a step of this bee.
    void become(std::string payload, wire::Encoding encoding = wire::Encoding::utf8) {
        job_.item->add_step(
            {.payload = std::move(payload), .encoding = encoding, .by = line_.stamp()},
            line_.history());
    }
    void drop() { dropped_ = true; } // it ends here
    bool dropped() const { return dropped_; }

private:
    Job& job_;
    Line& line_;
    bool dropped_ = false;
};

// The smallest bee: settings and a function. An error has the item tried again, and at last sends
// it to the dead letters.
template <Described Config>
BeeKind simple_bee(std::string role, std::function<Status(const Config&, Item&)> work) {
    class Simple final : public WorkWith<Config> {
    public:
        explicit Simple(std::function<Status(const Config&, Item&)> work)
            : work_{std::move(work)} {}
        void configure(Config config) override { config_ = std::move(config); }
        void take(std::span<Job> jobs, Line& line) override {
            for (Job& job : jobs) {
                Item item{job, line};
                if (auto ok = work_(config_, item); !ok) {
                    line.fail(job, ok.error().detail);
                } else if (item.dropped()) {
                    line.finish(job);
                } else {
                    line.forward(job);
                }
            }
        }

    private:
        std::function<Status(const Config&, Item&)> work_;
        Config config_{};
    };
    return make_kind<Config>(
        std::move(role),
        [work =
             std::move(work)](const WorkloadParts&) -> Result<std::unique_ptr<WorkWith<Config>>> {
            return std::make_unique<Simple>(work);
        });
}

} // namespace hive::worker
