#include "colony/tasks/carrying.hpp"

#include "colony/stored.hpp"
#include "colony/tasks/steering.hpp"
#include "kernel/duration.hpp"

#include <fmt/format.h>

namespace hive::colony::tasks {
namespace {

void put(json::object& out, const Hold& hold) {
    if (hold.token) out["token"] = *hold.token;
}

Hold hold_in(const json::object& in) {
    if (!in.contains("token")) return {};
    return {number_in<std::uint64_t>(in, "token")};
}

Terms terms_in(const json::object& in) {
    return {
        .bee = text_in(in, "bee"),
        .instance = text_in(in, "instance"),
        .lease = span_at(in, "lease")};
}

Report report_in(const json::object& in) {
    Report report{.hold = hold_in(in), .note = text_in(in, "note")};
    if (in.contains("percent")) report.percent = number_in<int>(in, "percent");
    if (const auto* result = in.if_contains("result")) report.result = *result;
    return report;
}

Failure failure_in(const json::object& in) {
    return {
        .hold = hold_in(in),
        .error = text_in(in, "error"),
        .retryable = in.at("retryable").as_bool()};
}

Outcome<Task> make_move(Bench& bench, const Act& act) {
    const std::string& id = act.entity_id;
    const json::object& command = act.command;
    if (act.what == "task.claim") return claim(bench, id, terms_in(command));
    if (act.what == "task.progress") return progress(bench, id, report_in(command));
    if (act.what == "task.block") return block(bench, id, report_in(command));
    if (act.what == "task.release") return release(bench, id, report_in(command));
    if (act.what == "task.fail") return fail_attempt(bench, id, failure_in(command));
    const std::string why = text_in(command, "note");
    if (act.what == "task.unblock") return unblock(bench, id, why);
    if (act.what == "task.cancel") return cancel(bench, id, why);
    if (act.what == "task.redrive") return redrive(bench, id, why);
    if (act.what == "task.reopen") return reopen(bench, id, why);
    return refuse(Errc::invalid, "unknown-act", fmt::format("nobody knows how to do {}", act.what));
}

} // namespace

json::object stored(const Terms& terms) {
    json::object out{{"lease", format_duration(terms.lease)}};
    colony::put(out, "bee", terms.bee);
    colony::put(out, "instance", terms.instance);
    return out;
}

json::object stored(const Report& report) {
    json::object out;
    put(out, report.hold);
    colony::put(out, "note", report.note);
    if (report.percent) out["percent"] = *report.percent;
    if (!report.result.is_null()) out["result"] = report.result;
    return out;
}

json::object stored(const Failure& failure) {
    json::object out{{"error", failure.error}, {"retryable", failure.retryable}};
    put(out, failure.hold);
    return out;
}

json::object stored(const std::string& why) {
    json::object out;
    colony::put(out, "note", why);
    return out;
}

Outcome<Task> carry_out(Bench& bench, const Act& act) {
    try {
        return make_move(bench, act);
    } catch (const std::exception& error) {
        return refuse(unreadable("move", error.what()));
    }
}

} // namespace hive::colony::tasks
