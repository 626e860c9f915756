#include "api/colony/unit.hpp"

#include "colony/event.hpp"

namespace hive::rest {

colony::Actor colony_actor(const api::Principal& who) {
    return {.id = who.id, .role = who.role};
}

colony::Actor hive_itself() {
    return {.id = "hive", .role = accounts::Role::admin};
}

Status Unit::record() {
    for (auto& event : moment_.events()) {
        json::object details = event.told;
        for (auto& [name, value] : event.details) details[name] = std::move(value);
        Happening happening{
            .action = event.type,
            .entity_type = event.entity_type,
            .entity_id = event.entity_id,
            .details = std::move(details),
            .told = std::move(event.told),
            .topic = colony::topic_of(event)};
        if (auto ok = change_->record(std::move(happening)); !ok) return ok;
    }
    moment_.events().clear();
    return {};
}

api::Problem problem_of(const colony::Refusal& refusal) {
    api::Problem problem = api::problem_of(Error{refusal.kind, refusal.detail});
    if (!refusal.code.empty()) problem.code = refusal.code;
    problem.more = refusal.more;
    if (const auto* after = refusal.more.if_contains("retryAfter")) {
        problem.headers.add("Retry-After", to_text(*after));
    }
    return problem;
}

http::Response Unit::refuse(const colony::Refusal& refusal) const {
    return change_->refuse(problem_of(refusal));
}

asio::awaitable<http::Response> act(SessionParts parts, api::Call call, UnitWork work) {
    const HiveId& hive = parts.transactions.chronicle().hive();
    return parts.transactions.change(
        call,
        [hive, actor = colony_actor(*call.principal()),
         work = std::move(work)](Change& change) -> Result<http::Response> {
            Unit unit{change, hive, actor};
            auto answer = work(unit);
            if (!answer || answer->status >= 400) return answer;
            if (auto ok = unit.record(); !ok) return fail(ok.error());
            return answer;
        });
}

std::function<Status(Change&)> as_chore(HiveId hive, std::function<Status(Unit&)> work) {
    return [hive = std::move(hive), work = std::move(work)](Change& change) -> Status {
        Unit unit{change, hive, hive_itself()};
        if (auto ok = work(unit); !ok) return ok;
        return unit.record();
    };
}

} // namespace hive::rest
