#include "api/colony/task_desk.hpp"

#include "api/colony/input.hpp"
#include "api/colony/task_input.hpp"
#include "api/etag.hpp"
#include "api/http/await_callback.hpp"
#include "api/page.hpp"
#include "colony/tasks/creating.hpp"
#include "colony/tasks/steering.hpp"
#include "colony/tasks/working.hpp"
#include "kernel/duration.hpp"

#include <fmt/format.h>

#include <charconv>

namespace hive::rest {
namespace {

using namespace colony::tasks;
using api::Call;

constexpr Duration wait_max = std::chrono::minutes{1};
// How often a waiting bee looks by itself: tasks may have come through another server.
constexpr Duration look_every = std::chrono::seconds{2};

json::array shown(const std::vector<Task>& tasks, LeaseToken token) {
    json::array items;
    for (const Task& task : tasks) items.push_back(to_json(task, token));
    return items;
}

http::Response tasks_response(
    const std::vector<Task>& tasks, LeaseToken token = LeaseToken::hidden, unsigned status = 200) {
    return api::json_response(json::object{{"items", shown(tasks, token)}}, status);
}

Result<TaskQuery> query_of(const Call& call) {
    TaskQuery query{.limit = static_cast<std::size_t>(*call.integer("limit"))};
    if (const auto state = call.text("state")) {
        const auto parsed = parse_state(*state);
        if (!parsed) return fail(parsed.error());
        query.state = *parsed;
    }
    if (const auto order = call.text("order"); order && *order != "newest") {
        if (*order != "next") {
            return fail(
                Errc::invalid,
                fmt::format("the order '{}' is neither 'newest' nor 'next'", *order));
        }
        query.order = TaskOrder::next;
    }
    query.assigned_to = call.text("assignedTo").value_or("");
    query.holder = call.text("holder").value_or("");
    query.created_by = call.text("createdBy").value_or("");
    query.tag = call.text("tag").value_or("");
    query.text = call.text("q").value_or("");
    if (const auto priority = call.integer("priority"))
        query.priority = static_cast<int>(*priority);
    return query;
}

// A cursor is good for the listing it came from.
std::string listing_of(const TaskQuery& query) {
    return fmt::format(
        "tasks?{}&{}&{}&{}&{}&{}&{}{}", query.state ? name_of(*query.state) : "", query.assigned_to,
        query.holder, query.created_by, query.tag, query.text, query.priority.value_or(-1),
        query.order == TaskOrder::next ? "&next" : "");
}

// Where a listing goes on: `<id>`, and by `next` `<priority> <nanoseconds> <id>`.
std::string position_of(const TaskQuery& query, const Task& last) {
    if (query.order == TaskOrder::newest) return last.id;
    return fmt::format("{} {} {}", last.priority, last.created.time_since_epoch().count(), last.id);
}

Status go_on(TaskQuery& query, std::string position) {
    if (query.order == TaskOrder::newest) {
        query.after = std::move(position);
        return {};
    }
    int priority = 0;
    std::int64_t created = 0;
    const char* const end = position.data() + position.size();
    auto read = std::from_chars(position.data(), end, priority);
    if (read.ec == std::errc{} && read.ptr != end)
        read = std::from_chars(read.ptr + 1, end, created);
    if (read.ec != std::errc{} || read.ptr == end)
        return fail(Errc::invalid, "the cursor is none of this list; begin with the first page");
    query.behind = {priority, Timestamp{Duration{created}}, std::string{read.ptr + 1, end}};
    return {};
}

} // namespace

http::Response task_response(const Task& task, LeaseToken token, unsigned status) {
    auto response = api::json_response(to_json(task, token), status);
    response.headers.add("ETag", api::etag_of_revision(task.revision));
    if (status == 201) response.headers.add("Location", "/api/v1/tasks/" + task.id);
    return response;
}

asio::awaitable<http::Response> TaskDesk::act(Call call, PlaceWork work) const {
    return act_in_colony(sessions_, *colony_, call, std::move(work));
}

asio::awaitable<http::Response> TaskDesk::list(Call call) const {
    auto query = query_of(call);
    if (!query) co_return call.fail(query.error());
    const std::string listing = listing_of(*query);
    if (const auto cursor = call.text("cursor")) {
        auto after = sessions_.cursors.decode(listing, *cursor);
        if (!after) co_return call.fail(after.error());
        if (auto ok = go_on(*query, *std::move(after)); !ok) co_return call.fail(ok.error());
    }
    co_return co_await sessions_.transactions.read(
        call,
        [query = *query, listing, hive = sessions_.transactions.chronicle().hive(),
         cursors = &sessions_.cursors, following = api::NextPage{call.request()}](
            store::Session& session) -> Result<http::Response> {
            auto tasks = store::TaskTable{session, hive}.list(query);
            if (!tasks) return fail(tasks.error());
            const bool more = tasks->size() == query.limit;
            return following.page(
                shown(*tasks, LeaseToken::hidden),
                more ? cursors->encode(listing, position_of(query, tasks->back())) : std::string{});
        });
}

asio::awaitable<http::Response> TaskDesk::show(Call call) const {
    co_return co_await sessions_.transactions.read(
        call,
        [id = std::string{call.path("task")}, hive = sessions_.transactions.chronicle().hive()](
            store::Session& session) -> Result<http::Response> {
            auto task = store::TaskTable{session, hive}.find(id);
            if (!task) return fail(task.error());
            if (!*task) return fail(Errc::not_found, fmt::format("there is no task '{}'", id));
            return task_response(**task);
        });
}

asio::awaitable<http::Response> TaskDesk::counts(Call call) const {
    co_return co_await sessions_.transactions.read(
        call,
        [hive = sessions_.transactions.chronicle().hive()](
            store::Session& session) -> Result<http::Response> {
            auto counts = store::TaskTable{session, hive}.counts();
            if (!counts) return fail(counts.error());
            json::object out;
            for (std::size_t i = 0; i < state_count; ++i) {
                out[name_of(static_cast<State>(i))] = counts->at(i);
            }
            return api::json_response(out);
        });
}

http::Response TaskDesk::machine() const {
    json::array states;
    for (std::size_t i = 0; i < state_count; ++i) {
        const auto state = static_cast<State>(i);
        states.push_back({{"name", name_of(state)}, {"over", is_over(state)}});
    }
    json::array moves;
    for (const Transition& t : transitions()) {
        moves.push_back(
            {{"from", name_of(t.from)}, {"move", name_of(t.move)}, {"to", name_of(t.to)}});
    }
    return api::json_response(
        json::object{{"states", std::move(states)}, {"transitions", std::move(moves)}});
}

asio::awaitable<http::Response> TaskDesk::create(Call call) const {
    auto wanted = new_task_in(call.body().as_object());
    if (!wanted) co_return call.fail(wanted.error());
    co_return co_await act(
        call, [wanted = *wanted](Workplace& place, const Unit& unit) -> Result<http::Response> {
            const auto made = colony::tasks::create(place.bench(), {wanted});
            return answer(unit, made, [](const auto& tasks) {
                return task_response(tasks.front(), LeaseToken::hidden, 201);
            });
        });
}

asio::awaitable<http::Response> TaskDesk::create_many(Call call) const {
    std::vector<NewTask> all;
    std::size_t at = 0;
    for (const auto& item : call.body().at("tasks").as_array()) {
        auto wanted = new_task_in(item.as_object());
        if (!wanted) {
            co_return call.fail(
                Error{Errc::invalid, fmt::format("tasks/{}: {}", at, wanted.error().detail)});
        }
        all.push_back(*std::move(wanted));
        ++at;
    }
    co_return co_await act(
        call, [all = std::move(all)](Workplace& place, const Unit& unit) -> Result<http::Response> {
            const auto made = colony::tasks::create(place.bench(), all);
            return answer(unit, made, [](const auto& tasks) {
                return tasks_response(tasks, LeaseToken::hidden, 201);
            });
        });
}

asio::awaitable<http::Response> TaskDesk::change(Call call) const {
    auto changes = changes_in(call.body().as_object());
    if (!changes) co_return call.fail(changes.error());
    co_return co_await act(
        call,
        [changes = *changes, id = std::string{call.path("task")},
         seen = api::Precondition{call.request()}](
            Workplace& place, const Unit& unit) -> Result<http::Response> {
            auto task = find_task(place.bench(), id);
            if (!task) return unit.refuse(task.error());
            if (const auto stale = seen.check(api::etag_of_revision(task->revision))) {
                return unit.refuse(*stale);
            }
            const auto done = colony::tasks::change(place.bench(), *std::move(task), changes);
            return answer(unit, done, [](const Task& changed) { return task_response(changed); });
        });
}

asio::awaitable<http::Response> TaskDesk::do_to_one(Call call, TaskAct wanted) const {
    co_return co_await act(
        call,
        [wanted, id = std::string{call.path("task")}, body = call.body().as_object()](
            Workplace& place, const Unit& unit) -> Result<http::Response> {
            const auto done = wanted.run(place, id, body);
            if (!done) return fail(done.error());
            return answer(unit, *done, [&](const Task& task) {
                const std::string& held = unit.moment().held();
                // A task in review is what was asked for; the rest is as it was.
                if (!held.empty() && task.approval != held) return held_response(held);
                return task_response(task, wanted.token);
            });
        });
}

asio::awaitable<http::Response> TaskDesk::claim_next(Call call) const {
    const auto& body = call.body().as_object();
    const auto wish = wish_in(body);
    if (!wish) co_return call.fail(wish.error());
    const auto wait = span_of(body, "wait");
    if (!wait) co_return call.fail(wait.error());
    const Duration patience = std::min(wait->value_or(Duration::zero()), wait_max);
    const Clock& clock = sessions_.transactions.clock();
    const TimePoint deadline = clock.now() + patience;
    const std::string bee = wish->terms.bee.empty() ? call.principal()->id : wish->terms.bee;
    while (true) {
        // Set when there was nothing: that answer is undone, or a repeated request would get it.
        auto none = std::make_shared<bool>(false);
        const auto rings = colony_->room.rings();
        auto answer_of = co_await act(
            call,
            [wish = *wish, none](Workplace& place, const Unit& unit) -> Result<http::Response> {
                if (auto ok = place.check_may_claim(wish.terms.bee); !ok) {
                    return unit.refuse(ok.error());
                }
                const auto taken = colony::tasks::claim_next(place.bench(), wish);
                if (taken && taken->empty()) {
                    *none = true;
                    return unit.refuse({Errc::not_found, "no-work", "there is nothing to do"});
                }
                return answer(unit, taken, [](const auto& tasks) {
                    return tasks_response(tasks, LeaseToken::shown);
                });
            });
        if (!*none) co_return answer_of;
        const Duration left = deadline - clock.now();
        if (left <= Duration::zero()) co_return tasks_response({});
        std::uint64_t place = 0;
        co_await http::await_callback<bool>(
            [&](const std::function<void(bool)>& wake) {
                place = colony_->room.enter({bee, wish->skills, wish->tags}, rings, wake);
            },
            std::min(left, look_every));
        colony_->room.leave(place);
    }
}

asio::awaitable<http::Response> TaskDesk::complete_many(Call call) const {
    std::vector<std::pair<std::string, Report>> all;
    for (const auto& item : call.body().at("tasks").as_array()) {
        all.emplace_back(text_of(item.as_object(), "task"), report_in(item.as_object()));
    }
    co_return co_await act(
        call, [all = std::move(all)](Workplace& place, const Unit& unit) -> Result<http::Response> {
            std::vector<Task> done;
            for (const auto& [id, report] : all) {
                auto one = complete(place.bench(), id, report);
                if (!one) return unit.refuse(one.error());
                done.push_back(*std::move(one));
            }
            return tasks_response(done);
        });
}

asio::awaitable<http::Response> TaskDesk::redrive_many(Call call) const {
    const auto& body = call.body().as_object();
    const auto limit = static_cast<std::size_t>(integer_of(body, "limit").value_or(100));
    co_return co_await act(
        call,
        [limit, tag = text_of(body, "tag"), why = text_of(body, "note")](
            Workplace& place, const Unit& unit) -> Result<http::Response> {
            auto dead =
                place.bench().book.search.list({.state = State::dead, .tag = tag, .limit = limit});
            if (!dead) return fail(dead.error());
            std::vector<Task> driven;
            for (const Task& task : *dead) {
                auto one = redrive(place.bench(), task.id, why);
                if (!one) return unit.refuse(one.error());
                driven.push_back(*std::move(one));
            }
            return tasks_response(driven);
        });
}

asio::awaitable<http::Response> TaskDesk::comment(Call call) const {
    co_return co_await act(
        call,
        [id = std::string{call.path("task")}, text = text_of(call.body().as_object(), "text")](
            Workplace& place, const Unit& unit) -> Result<http::Response> {
            auto task = find_task(place.bench(), id);
            if (!task) return unit.refuse(task.error());
            const auto posted = colony::channels::post(
                place.desk(), {.channel = "task:" + task->ref, .content = text},
                colony::channels::Counting::counted);
            return answer(unit, posted, [&](const auto& done) {
                const std::string& held = unit.moment().held();
                return held.empty() ? api::json_response(to_json(done.message), 201)
                                    : held_response(held);
            });
        });
}

} // namespace hive::rest
