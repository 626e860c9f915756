#include "worker/control.hpp"

#include "kernel/overloaded.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hive::worker {
namespace {

using wire::Command;
using wire::Envelope;

constexpr std::size_t answered_max = 256;

struct Step {
    ControlState& state;
    Moment moment;
    const ControlSettings& settings;
    std::vector<ControlCommand>& out;

    wire::Sender sender() const { return {state.self.origin(), moment.wall}; }
    void publish(Envelope envelope) const { out.emplace_back(Publish{std::move(envelope)}); }
};

json::object context_of(const ControlState& state) {
    json::object context{{"lastConfig", state.last_config}};
    if (state.config_error) {
        context["configError"] = json::object{
            {"correlationId", state.config_error->correlation_id},
            {"reason", state.config_error->reason}};
    }
    if (!state.details.empty()) context["work"] = state.details;
    return context;
}

void say_full(const Step& step) {
    const ControlState& state = step.state;
    step.publish(Envelope::status(
        step.sender(), state.self.scope(),
        wire::StatusFull{
            .enabled = state.enabled,
            .started_at = state.started_at,
            .tps = state.tps,
            .config = step.settings.shown ? step.settings.shown(state.config) : state.config,
            .io =
                {.work = wire::WorkIo{.queues = state.work_wiring},
                 .control = state.control_wiring},
            .io_state = state.io_state,
            .context = context_of(state)}));
    step.state.next_delta = step.moment.now + step.settings.delta_every;
}

void say_delta(const Step& step) {
    const ControlState& state = step.state;
    step.publish(Envelope::status(
        step.sender(), state.self.scope(),
        wire::StatusDelta{
            .enabled = state.enabled,
            .tps = state.tps,
            .io_state = state.io_state,
            .context = context_of(state)}));
    step.state.next_delta = step.moment.now + step.settings.delta_every;
}

// A command to many has its one outcome from the controller.
void answer(const Step& step, const Envelope& signal, wire::Outcome outcome) {
    if (signal.scope.instance.is_all()) return;
    step.publish(Envelope::outcome(
        step.sender(), step.state.self.scope(), wire::attempt_of(signal), std::move(outcome)));
}

json::object merged_with(const ControlState& state, json::object patch) {
    patch.erase("enabled");
    json::value merged = state.config;
    merge_patch(merged, patch);
    return merged.as_object();
}

// Off before its settings change and on after: it never works with settings that were not meant.
void apply(const Step& step, const json::object& patch, json::object merged) {
    ControlState& state = step.state;
    const auto* asked = patch.if_contains("enabled");
    const bool switched = asked != nullptr && asked->is_bool();
    const bool before = std::exchange(state.enabled, switched ? asked->get_bool() : state.enabled);
    if (before && !state.enabled) step.out.emplace_back(SetWorkload{false});
    if (patch.size() > (switched ? 1U : 0U)) {
        state.config = std::move(merged);
        step.out.emplace_back(Reconfigure{state.config});
    }
    if (!before && state.enabled) step.out.emplace_back(SetWorkload{true});
}

// Nothing of it is applied. A refusal to many is told by their controller, who sees it here.
void refuse(const Step& step, const Envelope& signal, const std::string& reason) {
    ControlState& state = step.state;
    const auto id = wire::attempt_of(signal).correlation_id;
    state.config_error = ConfigError{id, reason};
    say_full(step);
    if (signal.scope.instance.is_all()) return;
    answer(
        step, signal,
        wire::Outcome::failed(Command::config_update, json::object{{"reason", reason}}));
    step.publish(Envelope::alert(
        step.sender(), state.self.scope(),
        {.code = "worker.config-invalid",
         .message = state.self.instance.text() + " refuses its configuration: " + reason,
         .context = json::object{{"phase", "config-update"}, {"correlationId", id}}}));
}

bool is_overtaken(ControlState& state, const Envelope& signal) {
    auto [known, first] = state.newest.emplace(signal.sender.origin.text(), signal.sender.at);
    if (first) return false;
    if (signal.sender.at <= known->second) return true;
    known->second = signal.sender.at;
    return false;
}

void on_config(const Step& step, const Envelope& signal) {
    ControlState& state = step.state;
    const auto attempt = wire::attempt_of(signal);
    if (std::ranges::find(state.answered, attempt.correlation_id) != state.answered.end()) return;
    state.answered.push_back(attempt.correlation_id);
    if (state.answered.size() > answered_max) state.answered.pop_front();
    if (is_overtaken(state, signal)) {
        return answer(
            step, signal, wire::Outcome::not_ready(Command::config_update, {{"overtaken", true}}));
    }
    const json::object& patch = std::get<wire::Signal>(signal.body).data;
    auto merged = merged_with(state, patch);
    if (step.settings.validate) {
        const auto valid = step.settings.validate(merged);
        if (!valid) return refuse(step, signal, valid.error().detail);
    }
    apply(step, patch, std::move(merged));
    state.config_error.reset();
    state.last_config = attempt.correlation_id;
    say_full(step);
    answer(step, signal, wire::Outcome::applied(state.enabled));
}

void on_signal(const Step& step, const Envelope& signal) {
    const auto* body = std::get_if<wire::Signal>(&signal.body);
    if (body == nullptr || signal.sender.at < step.state.started_at) return;
    if (body->command == Command::status_request) return say_full(step);
    if (body->command == Command::config_update) on_config(step, signal);
}

std::string_view code_of(wire::InputState input) {
    switch (input) {
    case wire::InputState::out_of_data: return wire::alert_code::io_out_of_data;
    case wire::InputState::backpressure: return wire::alert_code::io_backpressure;
    default: return "io.upstream-error";
    }
}

std::string_view code_of(wire::OutputState output) {
    return output == wire::OutputState::downstream_error ? wire::alert_code::io_downstream_error
                                                         : wire::alert_code::io_backpressure;
}

// Once when it begins and once when it is over. `unknown` says nothing, so it ends nothing.
template <class Side>
void watch_side(const Step& step, Side& alarm, Side now, std::string_view side) {
    if (now == alarm || now == Side::unknown) return;
    const Side before = std::exchange(alarm, now);
    const auto& self = step.state.self;
    json::object context{{"side", side}, {"state", name_of(now)}};
    const auto& flow = step.state.io_state.work;
    if (flow && flow->context) context["flow"] = *flow->context;
    const bool well = now == Side::ok;
    const bool severe = name_of(now).ends_with("error");
    const auto level = severe ? wire::AlertLevel::error : wire::AlertLevel::warn;
    step.publish(Envelope::alert(
        step.sender(), self.scope(),
        {.level = well ? wire::AlertLevel::info : level,
         .code = well ? std::string{"io.recovered"} : std::string{code_of(now)},
         .message = fmt::format(
             "{}: {} is {}", self.instance.text(), side,
             well ? fmt::format("ok again after {}", name_of(before)) : std::string{name_of(now)}),
         .context = std::move(context)}));
}

// Once when items begin to fail, and once when they go well again.
void watch_items(const Step& step, const std::string& failing) {
    const bool fails = !failing.empty();
    if (std::exchange(step.state.failing_alarm, fails) == fails) return;
    const auto& self = step.state.self;
    const std::string what = fails ? "items fail: " + failing : "items go well again";
    json::object context{{"phase", "work"}};
    if (fails) context["reason"] = failing;
    step.publish(Envelope::alert(
        step.sender(), self.scope(),
        {.level = fails ? wire::AlertLevel::warn : wire::AlertLevel::info,
         .code = fails ? "worker.items-failing" : "worker.items-recovered",
         .message = fmt::format("{}: {}", self.instance.text(), what),
         .context = std::move(context)}));
}

void on_report(const Step& step, const WorkloadReport& report) {
    step.state.tps = report.tps;
    step.state.details = report.details;
    watch_items(step, report.failing);
    if (step.state.io_state.work == report.flow) return;
    step.state.io_state.work = report.flow;
    say_delta(step);
    watch_side(step, step.state.input_alarm, report.flow.input, "input");
    watch_side(step, step.state.output_alarm, report.flow.output, "output");
}

// Once until there has been none for a while: whoever sends nonsense may send a lot of it.
void on_rejected(const Step& step, const MessageRejected& rejected) {
    const auto before = std::exchange(step.state.rejected_at, step.moment.now);
    if (before && step.moment.now - *before < step.settings.rejected_quiet) return;
    const auto key = printable(rejected.key);
    const auto reason = printable(rejected.reason, 300);
    step.publish(Envelope::alert(
        step.sender(), step.state.self.scope(),
        {.level = wire::AlertLevel::warn,
         .code = "message.rejected",
         .message = fmt::format("a message was rejected: {}", reason),
         .context = json::object{{"phase", "control"}, {"key", key}, {"reason", reason}}}));
}

} // namespace

ControlDecision decide(
    ControlState state, const ControlEvent& event, Moment moment, const ControlSettings& settings) {
    std::vector<ControlCommand> commands;
    const Step step{state, moment, settings, commands};
    std::visit(
        overloaded{
            [&](const Started&) { say_full(step); },
            [&](const SignalHeard& heard) { on_signal(step, heard.signal); },
            [&](const WorkloadReport& report) { on_report(step, report); },
            [&](const MessageRejected& rejected) { on_rejected(step, rejected); },
            [&](const Tick&) {
                if (moment.now >= state.next_delta) say_delta(step);
            },
        },
        event);
    return {std::move(state), std::move(commands)};
}

} // namespace hive::worker
