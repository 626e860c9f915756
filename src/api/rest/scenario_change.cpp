#include "api/rest/scenario_change.hpp"

#include "api/etag.hpp"
#include "api/rest/scenario_json.hpp"

#include <fmt/format.h>

#include <memory>

namespace hive::rest {
namespace {

using scenario::Changed;
using scenario::Shelf;
using scenario::StoredPtr;

// A step of a change: a problem ends it, with everything undone.
using Step = tl::expected<void, api::Problem>;

tl::unexpected<api::Problem> refused(const Error& error) {
    return tl::unexpected{api::problem_of(error)};
}

api::Problem changed_meanwhile(std::string_view etag) {
    api::Problem problem{
        .status = 412,
        .code = "changed-meanwhile",
        .detail = "somebody changed this since you read it; read it again"};
    if (!etag.empty()) problem.headers.add("ETag", etag);
    return problem;
}

Step check_precondition(const Alteration& wanted, const Result<StoredPtr>& stored) {
    using Where = Alteration::Where;
    if (!stored && stored.error().code != Errc::not_found) return refused(stored.error());
    if (!stored) {
        if (wanted.where == Where::there) return refused(stored.error());
        if (wanted.if_match) return tl::unexpected{changed_meanwhile("")};
        return {};
    }
    if (wanted.where == Where::anew) {
        return refused(
            {Errc::conflict, fmt::format("there is a scenario '{}' already", wanted.id)});
    }
    http::Request asked;
    if (wanted.if_match) asked.headers.push_back({"If-Match", *wanted.if_match});
    auto problem = api::Precondition{asked}.check(etag_of(**stored), api::IfMatch::required);
    if (problem) return tl::unexpected{*std::move(problem)};
    return {};
}

tl::expected<Changed, api::Problem> carry_out(Shelf& shelf, const Alteration& wanted) {
    const auto stored = shelf.find(wanted.id);
    if (auto ok = check_precondition(wanted, stored); !ok) return tl::unexpected{ok.error()};
    Changed made{wanted.id, stored ? (*stored)->revision : "", ""};
    Status done{};
    if (wanted.edit) {
        auto revision = shelf.put(wanted.id, *wanted.edit, made.before);
        if (revision) {
            made.after = *std::move(revision);
        } else {
            done = fail(revision.error());
        }
    } else {
        done = shelf.remove(wanted.id, made.before);
    }
    if (done) return made;
    // Between the look and the change somebody else was faster.
    if (done.error().code == Errc::conflict) return tl::unexpected{changed_meanwhile("")};
    return refused(done.error());
}

Happening happening_of(const Changed& made, std::string action, json::object details) {
    json::object told{{"revision", made.after}};
    if (!made.before.empty()) details["before"] = told["before"] = made.before;
    if (!made.after.empty()) details["after"] = made.after;
    return {
        .action = std::move(action),
        .entity_type = "scenario",
        .entity_id = made.id,
        .details = std::move(details),
        .told = std::move(told),
        .topic = "scenario.changed." + made.id};
}

std::string action_of(const Changed& made) {
    if (made.after.empty()) return "scenario.deleted";
    return made.before.empty() ? "scenario.created" : "scenario.updated";
}

Result<http::Response> answer_of(Shelf& shelf, const Changed& made) {
    if (made.after.empty()) return http::Response{.status = 204};
    const auto stored = shelf.find(made.id);
    if (!stored) return fail(stored.error());
    auto response = api::json_response(scenario_summary(**stored), made.before.empty() ? 201 : 200);
    response.headers.add("ETag", etag_of(**stored));
    if (made.before.empty()) response.headers.add("Location", "/api/v1/scenarios/" + made.id);
    return response;
}

} // namespace

ChangeWork change_scenario(Shelf& shelf, Alteration alteration) {
    // A unit may run again when the store could not commit it; its files are written once.
    auto made = std::make_shared<std::optional<Changed>>();
    return
        [&shelf, made, wanted = std::move(alteration)](Change& change) -> Result<http::Response> {
            if (!*made) {
                auto done = carry_out(shelf, wanted);
                if (!done) return api::to_response(done.error(), wanted.path, wanted.request_id);
                *made = *std::move(done);
            }
            auto recorded = change.record(happening_of(**made, action_of(**made), wanted.details));
            if (!recorded) return fail(recorded.error());
            return answer_of(shelf, **made);
        };
}

Chore scenario_watch(Shelf& shelf) {
    struct Seen {
        Timestamp at{};
        std::vector<Changed> changes{};
    };
    auto seen = std::make_shared<Seen>();
    return {
        .name = "scenarios",
        .every = std::chrono::seconds{1},
        .work = [&shelf, seen](Change& change) -> Status {
            // The same moment again: the store could not commit, and what was seen is told anew.
            if (seen->at != change.now()) *seen = {change.now(), shelf.changes()};
            for (const Changed& each : seen->changes) {
                auto ok = change.record(happening_of(each, "scenario.edited", {}));
                if (!ok) return ok;
            }
            return {};
        }};
}

} // namespace hive::rest
