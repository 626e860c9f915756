#include "bees/trigger/trigger.hpp"

#include "bees/trigger/rest_action.hpp"
#include "bees/trigger/shell_action.hpp"
#include "worker/kind.hpp"

namespace hive::bees {
namespace {

using worker::Job;
using worker::Line;

class Trigger final : public worker::WorkWith<TriggerConfig> {
public:
    Trigger(const worker::WorkloadParts& parts, bool allow_shell)
        : parts_{parts}, allow_shell_{allow_shell} {}

    void configure(TriggerConfig config) override {
        if (action_ && config == config_) return;
        if (auto ok = check(config, allow_shell_); !ok) return parts_.give_up(ok.error().detail);
        config_ = std::move(config);
        stale_ = true; // the next item is for the new one, once those under way have ended
    }

    std::size_t room(TimePoint now) override {
        if (config_.action == ActionType::none) return WorkWith::room(now);
        if (stale_ && under_way() == 0 && !renew()) return 0;
        return stale_ ? 0 : action_->room();
    }

    void take(std::span<Job> jobs, Line& line) override {
        for (Job& job : jobs) {
            if (config_.action == ActionType::none) {
                line.forward(job);
            } else {
                ++begun_;
                action_->begin(job, line);
            }
        }
    }

    void report(json::object& into) override {
        for (const auto& [name, value] : names_of(config_.action)) {
            if (value == config_.action) into["actionType"] = name;
        }
        into["intervalMs"] = config_.interval_ms;
        into["singleRequest"] = config_.single;
        const Action::Count now = action_ ? action_->count() : Action::Count{};
        into["actions"] = before_.done + now.done;
        into["failedActions"] = before_.failed + now.failed;
        const auto& error = now.last_error.empty() ? before_.last_error : now.last_error;
        if (!error.empty()) into["lastError"] = error;
    }

private:
    std::uint64_t under_way() const { return action_ ? begun_ - action_->count().done : 0; }

    bool renew() {
        if (action_) {
            before_.done += action_->count().done;
            before_.failed += action_->count().failed;
            if (!action_->count().last_error.empty()) {
                before_.last_error = action_->count().last_error;
            }
            action_.reset();
        }
        begun_ = 0;
        if (config_.action == ActionType::shell) {
            action_ = make_shell_action(config_, parts_);
        } else {
            auto rest = make_rest_action(config_, parts_);
            if (!rest) {
                parts_.give_up(rest.error().detail);
                return false;
            }
            action_ = *std::move(rest);
        }
        stale_ = false;
        return true;
    }

    worker::WorkloadParts parts_;
    bool allow_shell_;
    TriggerConfig config_{};
    std::unique_ptr<Action> action_{};
    bool stale_ = true;
    std::uint64_t begun_ = 0; // by this action
    Action::Count before_{};  // of earlier ones
};

// Its interval is the rate of its scheduler.
class Scheduled final : public worker::Workload {
public:
    explicit Scheduled(std::unique_ptr<Workload> inner) : inner_{std::move(inner)} {}
    void configure(const json::object& config) override {
        inner_->configure(with_schedule(config));
    }
    void set_enabled(bool enabled) override { inner_->set_enabled(enabled); }
    bool busy() const override { return inner_->busy(); }
    worker::WorkloadReport report() override { return inner_->report(); }

private:
    std::unique_ptr<Workload> inner_;
};

} // namespace

worker::BeeKind trigger(bool allow_shell) {
    auto kind = worker::make_kind<TriggerConfig>(
        "trigger",
        [allow_shell](const worker::WorkloadParts& parts)
            -> Result<std::unique_ptr<worker::WorkWith<TriggerConfig>>> {
            return std::make_unique<Trigger>(parts, allow_shell);
        },
        [allow_shell](const TriggerConfig& config) { return check(config, allow_shell); });
    kind.make = [make = std::move(kind.make)](
                    worker::WorkloadParts parts) -> Result<std::unique_ptr<worker::Workload>> {
        auto inner = make(std::move(parts));
        if (!inner) return fail(inner.error());
        return std::make_unique<Scheduled>(*std::move(inner));
    };
    return kind;
}

} // namespace hive::bees
