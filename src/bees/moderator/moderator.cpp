#include "bees/moderator/moderator.hpp"

#include "bees/moderator/gate.hpp"
#include "worker/kind.hpp"

namespace hive::bees {
namespace {

using worker::Job;
using worker::Line;

struct ModeratorConfig {
    ModeConfig mode{};
};
void describe(FieldTable& fields, ModeratorConfig& config) {
    fields.add("mode", config.mode);
}

class Moderator final : public worker::WorkWith<ModeratorConfig> {
public:
    Moderator(const worker::WorkloadParts& parts, Gate gate)
        : parts_{parts}, gate_{std::move(gate)} {}

    void configure(ModeratorConfig config) override {
        config.mode.seed = parts_.chance->seed("jitter", config.mode.seed);
        if (auto ok = gate_.change(config.mode, parts_.clock.now()); !ok) {
            parts_.give_up(ok.error().detail); // judged before
        }
    }

    std::size_t room(TimePoint now) override { return gate_.allowed(now); }
    std::optional<TimePoint> next(TimePoint now) override { return gate_.next(now); }
    void take(std::span<Job> jobs, Line& line) override {
        gate_.take(jobs.size(), line.clock().now());
        const Timestamp now = line.clock().wall();
        for (Job& job : jobs) line.forward(job, now);
    }

    // Rate 0 means stop, and it says so.
    wire::OutputState output() const override {
        return gate_.stopped(parts_.clock.now()) ? wire::OutputState::throttled
                                                 : wire::OutputState::ok;
    }
    void report(json::object& into) override { gate_.report(parts_.clock.now(), into); }

private:
    worker::WorkloadParts parts_;
    Gate gate_;
};

} // namespace

worker::BeeKind moderator() {
    return worker::make_kind<ModeratorConfig>(
        "moderator",
        [](const worker::WorkloadParts& parts)
            -> Result<std::unique_ptr<worker::WorkWith<ModeratorConfig>>> {
            auto gate = Gate::open({}, parts.clock.now());
            if (!gate) return fail(gate.error());
            return std::make_unique<Moderator>(parts, *std::move(gate));
        });
}

} // namespace hive::bees
