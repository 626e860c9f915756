// Controllers as the runtime and their silence show them: launched, ended, lost, launched again.
#include "orchestrator/step.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::orchestrator {
namespace {

Duration wait_after(const Settings& settings, std::uint32_t exits) {
    Duration wait = settings.launch_again;
    for (std::uint32_t i = 1; i < exits && wait < settings.launch_again_max; ++i) wait *= 2;
    return std::min(wait, settings.launch_again_max);
}

void alert(Step& step, const Swarm& swarm, wire::Alert alert) {
    step.out.emplace_back(Publish{wire::Envelope::alert(
        step.sender(), {swarm.id, wire::controller_role(), swarm.marshal}, std::move(alert))});
}

void note(Step& step, const Swarm& swarm, std::string type, json::object data) {
    record(
        step, {.at = step.moment.wall,
               .severity = Severity::warn,
               .swarm = swarm.id.text(),
               .kind = "transition",
               .type = std::move(type),
               .origin = step.sender().origin.text(),
               .data = std::move(data)});
}

void launch_later(Step& step, Swarm& swarm) {
    if (step.moment.now - swarm.launched_at >= step.settings.launch_settled) swarm.exits = 0;
    ++swarm.exits;
    swarm.launched = false;
    swarm.launch_at = step.moment.now + wait_after(step.settings, swarm.exits);
}

// A controller that never came up will not do so for the next attempt either.
bool is_hopeless(const Step& step, const Swarm& swarm) {
    return !swarm.create.decided && !swarm.observed && swarm.exits >= step.settings.launches_max;
}

} // namespace

void launch_if_due(Step& step, Swarm& swarm) {
    if (swarm.launched || swarm.halted || step.moment.now < swarm.launch_at) return;
    swarm.launched = true;
    swarm.launched_at = step.moment.now;
    swarm.contact_at = step.moment.now;
    step.out.emplace_back(LaunchMarshal{swarm.id, swarm.marshal});
}

void marshal_failed(Step& step, Swarm& swarm, const std::string& reason) {
    if (swarm.phase == Phase::removed) return;
    const bool known = swarm.trouble == reason;
    swarm.trouble = reason;
    launch_later(step, swarm);
    if (swarm.wish == Wish::removed) return; // the sweep needs no controller
    note(step, swarm, "ControllerNotLaunched", {{"reason", reason}});
    if (!swarm.create.decided) return halt(step, swarm, reason);
    if (known) return; // once per episode
    alert(
        step, swarm,
        {.code = std::string{wire::alert_code::controller_runtime_error},
         .message = fmt::format("{} could not be launched: {}", swarm.marshal.text(), reason),
         .context = json::object{{"phase", "launch"}}});
}

void marshal_exited(Step& step, Swarm& swarm, const MarshalExited& exited) {
    if (swarm.phase == Phase::removed || swarm.sweep != Sweep::none) return;
    swarm.trouble = fmt::format("the controller exited: {}", exited.cause);
    launch_later(step, swarm);
    note(
        step, swarm, "ControllerExited",
        {{"cause", exited.cause},
         {"exits", swarm.exits},
         {"launchedAgainInMs",
          std::chrono::duration_cast<std::chrono::milliseconds>(swarm.launch_at - step.moment.now)
              .count()}});
    json::array log;
    for (const auto& line : exited.last_lines) log.emplace_back(line);
    alert(
        step, swarm,
        {.code = std::string{wire::alert_code::controller_runtime_error},
         .message = fmt::format("{} exited: {}", swarm.marshal.text(), exited.cause),
         .context = json::object{{"phase", "runtime"}, {"log", std::move(log)}}});
    if (swarm.wish != Wish::removed && is_hopeless(step, swarm)) halt(step, swarm, swarm.trouble);
}

void marshal_heard(Step& step, Swarm& swarm) {
    if (swarm.contact == Contact::lost) {
        alert(
            step, swarm,
            {.level = wire::AlertLevel::info,
             .code = "controller.recovered",
             .message = swarm.marshal.text() + " reports again"});
    }
    swarm.contact = Contact::fresh;
    swarm.contact_at = step.moment.now;
    if (!swarm.halted) swarm.trouble.clear();
}

void watch_marshal(Step& step, Swarm& swarm) {
    if (swarm.phase == Phase::removed || swarm.sweep != Sweep::none || !swarm.launched) return;
    const Duration silent = step.moment.now - swarm.contact_at;
    if (swarm.contact == Contact::fresh && silent < step.settings.silent_after) return;
    if (swarm.contact != Contact::fresh && silent < step.settings.lost_after) return;
    const bool newly_lost = swarm.contact == Contact::asked && swarm.observed;
    if (swarm.contact == Contact::asked) swarm.contact = Contact::lost;
    if (swarm.contact == Contact::fresh) swarm.contact = Contact::asked;
    swarm.contact_at = step.moment.now;
    if (newly_lost) {
        swarm.trouble = "the controller is silent";
        alert(
            step, swarm,
            {.level = wire::AlertLevel::warn,
             .code = "controller.silent",
             .message = swarm.marshal.text() + " does not report its status"});
    }
    if (swarm.contact == Contact::lost && !swarm.halted) {
        step.out.emplace_back(LaunchMarshal{swarm.id, swarm.marshal});
    }
    send_untracked(
        step, {swarm.id, wire::controller_role(), swarm.marshal}, wire::Signal::status_request());
}

} // namespace hive::orchestrator
