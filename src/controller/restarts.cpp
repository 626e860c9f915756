// Bees as the runtime sees them: launched, ended, launched again.
#include "controller/step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hive::controller {
namespace {

constexpr std::uint32_t doublings_max = 6;

bool may_restart(const Step& step, const Bee& bee, bool failed) {
    return failed && bee.spec.restart.policy == Restart::Policy::on_failure &&
           bee.failures < bee.spec.restart.max && step.state.phase < Phase::removing;
}

Duration wait_of(const Bee& bee) {
    return bee.spec.restart.backoff * (1 << std::min(bee.failures, doublings_max));
}

void ended(Step& step, Bee& bee, std::string trouble, std::vector<std::string> log) {
    bee.launched = false;
    bee.gone = true;
    bee.enabled = false;
    bee.trouble = std::move(trouble);
    bee.log = std::move(log);
    if (bee.contact != Contact::never) bee.contact = Contact::stale;
    bee.said_at = std::max(bee.said_at, step.moment.wall); // its last words may be under way
    step.changed = true;
}

void plan_restart(Step& step, Bee& bee, bool failed) {
    if (step.moment.now - bee.launched_at >= step.settings.restart_settled) bee.failures = 0;
    if (!may_restart(step, bee, failed)) return;
    bee.launch_at = step.moment.now + wait_of(bee);
    ++bee.failures;
}

} // namespace

void launch(Step& step, Bee& bee) {
    bee.trouble.clear();
    bee.log.clear();
    bee.ending = false;
    bee.gone = false;
    bee.launch_at.reset();
    bee.launched_at = step.moment.now;
    bee.provision_by = step.moment.now + step.settings.provision_each;
    step.out.emplace_back(Launch{bee.spec});
}

void bee_launched(Step& step, Bee& bee) {
    bee.launched = true;
    bee.launched_at = step.moment.now;
    bee.provision_by = step.moment.now + step.settings.provision_each;
    bee.trouble.clear();
    if (bee.sent.empty() && !bee.acknowledged) bootstrap(step, bee);
}

void bee_failed(Step& step, Bee& bee, const LaunchFailed& failed) {
    if (step.state.phase >= Phase::removing) return;
    ended(step, bee, failed.reason, failed.last_lines);
    plan_restart(step, bee, true);
    note_error(step, bee, failed.reason);
    // Whoever waits for it has the reason in the outcome and its alert.
    if (step.state.work) return;
    alert_with_log(
        step,
        {.code = std::string{wire::alert_code::worker_runtime_error},
         .message =
             fmt::format("{} could not be launched: {}", bee.spec.instance.text(), failed.reason),
         .context = json::object{{"phase", "launch"}, {"instance", bee.spec.instance.text()}}},
        failed.last_lines);
}

void bee_exited(Step& step, Bee& bee, const Exited& exited) {
    const bool told_to = std::exchange(bee.ending, false);
    if (step.state.phase >= Phase::removing) {
        bee.launched = false;
        bee.gone = true;
        bee.enabled = false;
        step.changed = true;
        return;
    }
    if (told_to) return ended(step, bee, std::string{forced_stop}, exited.last_lines);
    ended(step, bee, exited.cause, exited.last_lines);
    plan_restart(step, bee, exited.failed);
    note_error(step, bee, exited.cause);
    json::object context{
        {"phase", "runtime"},
        {"instance", bee.spec.instance.text()},
        {"restarts", bee.restarts},
        {"willRestart", bee.launch_at.has_value()}};
    alert_with_log(
        step,
        {.level = exited.failed ? wire::AlertLevel::error : wire::AlertLevel::info,
         .code =
             std::string{
                 exited.failed ? wire::alert_code::worker_runtime_error
                               : std::string_view{"worker.exited"}},
         .message = fmt::format("{} exited: {}", bee.spec.instance.text(), exited.cause),
         .context = std::move(context)},
        exited.last_lines);
}

void restart_ended(Step& step) {
    if (step.state.phase >= Phase::removing) return;
    for (Bee& bee : step.state.bees) {
        if (!bee.launch_at || step.moment.now < *bee.launch_at) continue;
        ++bee.restarts;
        launch(step, bee);
        step.changed = true;
    }
}

} // namespace hive::controller
