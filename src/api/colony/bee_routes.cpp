#include "api/colony/bee_routes.hpp"

#include "api/colony/input.hpp"
#include "api/colony/workload_bees.hpp"
#include "api/page.hpp"
#include "api/rest/schemas.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::rest {
namespace {

using namespace colony::bees;
using api::Access;
using api::Area;
using api::Call;
using api::Level;

using Routes = std::vector<api::Route>;

constexpr Duration there_within = std::chrono::minutes{5};

// What it does now is what it holds.
Result<json::array> tasks_of(store::Session& session, const HiveId& hive, const std::string& bee) {
    auto held = store::TaskTable{session, hive}.list({.holder = bee, .limit = 50});
    if (!held) return fail(held.error());
    json::array items;
    for (const auto& task : *held) {
        json::object item{{"id", task.id}, {"ref", task.ref}, {"title", task.title}};
        item["state"] = name_of(task.state);
        if (task.percent) item["percent"] = *task.percent;
        items.push_back(std::move(item));
    }
    return items;
}

std::string_view presence_of(const Bee& bee, bool working, Timestamp now) {
    if (bee.alarm != Silence::none) return name_of(bee.alarm);
    if (working) return "working";
    return now - bee.last_seen < there_within ? "there" : "away";
}

Result<json::object>
shown(store::Session& session, const HiveId& hive, const Bee& bee, Timestamp now) {
    auto tasks = tasks_of(session, hive, bee.id);
    if (!tasks) return fail(tasks.error());
    json::object out = to_json(bee);
    out["kind"] = "working";
    out["presence"] = presence_of(bee, !tasks->empty(), now);
    out["tasks"] = *std::move(tasks);
    return out;
}

json::object allowance_json(
    const colony::channels::Spoken& spoken, const colony::channels::QuotaPolicy& policy,
    Timestamp now) {
    const auto left = allowance(spoken, policy, now);
    json::object out{
        {"verdict", name_of(left.verdict)},
        {"leftNow", left.left_now},
        {"leftToday", left.left_today},
        {"perMinute", policy.per_minute},
        {"perDay", policy.per_day}};
    if (spoken.silent_until > now) out["silentUntil"] = format_timestamp(spoken.silent_until);
    return out;
}

// The last bee of a page.
struct Position {
    bool workload = false;
    std::string id{};

    std::string text() const { return (workload ? "l/" : "w/") + id; }
    static Position parse(std::string_view text) {
        return {.workload = text.starts_with("l/"), .id = std::string{text.substr(2)}};
    }
};

class BeeDesk {
public:
    BeeDesk(const SessionParts& sessions, ColonyParts& colony)
        : sessions_{sessions}, colony_{&colony} {}

    // Working bees first, then those of swarms, which nobody stores.
    asio::awaitable<http::Response> list(Call call) const {
        const auto limit = static_cast<std::size_t>(*call.integer("limit"));
        const std::string kind{call.text("kind").value_or("")};
        if (!kind.empty() && kind != "working" && kind != "workload") {
            co_return call.fail(Error{Errc::invalid, "kind: working or workload"});
        }
        const std::string listing = "bees?" + kind;
        Position after{.workload = kind == "workload"};
        if (const auto cursor = call.text("cursor")) {
            auto text = sessions_.cursors.decode(listing, *cursor);
            if (!text) co_return call.fail(text.error());
            after = Position::parse(*text);
        }
        auto swarming = kind == "working" ? std::vector<WorkloadBee>{} : seen_by(call);
        co_return co_await sessions_.transactions.read(
            call,
            [limit, listing, after, swarming = std::move(swarming), hive = hive(), now = now(),
             cursors = &sessions_.cursors, following = api::NextPage{call.request()}](
                store::Session& session) -> Result<http::Response> {
                json::array items;
                Position last = after;
                if (!after.workload) {
                    auto bees = store::BeeTable{session, hive}.list(after.id, limit);
                    if (!bees) return fail(bees.error());
                    for (const Bee& bee : *bees) {
                        auto item = shown(session, hive, bee, now);
                        if (!item) return fail(item.error());
                        items.push_back(*std::move(item));
                        last = {.workload = false, .id = bee.id};
                    }
                }
                for (const WorkloadBee& bee : swarming) {
                    if (items.size() == limit) break;
                    if (after.workload && bee.instance <= after.id) continue;
                    items.push_back(to_json(bee));
                    last = {.workload = true, .id = bee.instance};
                }
                const bool more = items.size() == limit;
                return following.page(
                    std::move(items), more ? cursors->encode(listing, last.text()) : std::string{});
            });
    }

    asio::awaitable<http::Response> show(Call call) const {
        co_return co_await sessions_.transactions.read(
            call,
            [id = std::string{call.path("bee")}, hive = hive(), now = now(),
             swarming = seen_by(call),
             policy = colony_->policy.quota](store::Session& session) -> Result<http::Response> {
                auto bee = store::BeeTable{session, hive}.find(id);
                if (!bee) return fail(bee.error());
                const auto other = std::ranges::find(swarming, id, &WorkloadBee::instance);
                if (!*bee && other != swarming.end()) return api::json_response(to_json(*other));
                if (!*bee) return fail(Errc::not_found, fmt::format("there is no bee '{}'", id));
                auto out = shown(session, hive, **bee, now);
                if (!out) return fail(out.error());
                auto spoken = store::MessageTable{session, hive}.spoken(id);
                if (!spoken) return fail(spoken.error());
                (*out)["messages"] = allowance_json(*spoken, policy, now);
                return api::json_response(*out);
            });
    }

    asio::awaitable<http::Response> greet(Call call) const {
        const auto& body = call.body().as_object();
        Greeting greeting;
        if (body.contains("skills")) greeting.skills = words_of(body, "skills");
        if (body.contains("status")) greeting.status = text_of(body, "status");
        if (body.contains("note")) greeting.note = text_of(body, "note");
        if (body.contains("metadata")) greeting.metadata = object_of(body, "metadata");
        if (auto ok = check_words(greeting.skills.value_or(colony::Words{}), "skills"); !ok) {
            co_return call.fail(ok.error());
        }
        co_return co_await act_in_colony(
            sessions_, *colony_, call,
            [greeting,
             hive = hive()](Workplace& place, const Unit& unit) -> Result<http::Response> {
                const auto bee = colony::bees::greet(place.hall(), place.actor().id, greeting);
                if (!bee) return unit.refuse(bee.error());
                auto out = shown(unit.session(), hive, *bee, unit.now());
                if (!out) return fail(out.error());
                return api::json_response(*out);
            });
    }

    asio::awaitable<http::Response> pause(Call call, bool paused) const {
        if (call.principal()->role == accounts::Role::bee) {
            co_return call.fail(Error{Errc::denied, "only people pause bees"});
        }
        co_return co_await act_in_colony(
            sessions_, *colony_, call,
            [paused, id = std::string{call.path("bee")},
             hive = hive()](Workplace& place, const Unit& unit) -> Result<http::Response> {
                const auto bee = colony::bees::pause(place.hall(), id, paused);
                if (!bee) return unit.refuse(bee.error());
                auto out = shown(unit.session(), hive, *bee, unit.now());
                if (!out) return fail(out.error());
                return api::json_response(*out);
            });
    }

private:
    // Who may not see swarms does not see their bees.
    std::vector<WorkloadBee> seen_by(const Call& call) const {
        const bool may = call.principal()->may(Area::swarms, Level::read);
        return workload_bees(may ? colony_->court : nullptr);
    }

    const HiveId& hive() const { return sessions_.transactions.chronicle().hive(); }
    Timestamp now() const { return sessions_.transactions.clock().wall(); }

    SessionParts sessions_;
    ColonyParts* colony_;
};

api::Content bee_content() {
    return {
        .schema = ref("Bee"),
        .example = {
            {"id", "BEE-001"},
            {"kind", "working"},
            {"presence", "working"},
            {"firstSeen", "2026-01-05T09:00:00Z"},
            {"lastSeen", "2026-01-05T10:00:00Z"},
            {"alarm", "none"},
            {"skills", {"cpp"}},
            {"tasks",
             {{{"id", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a11"},
               {"ref", "TASK-9"},
               {"title", "Measure the checkout under load"},
               {"state", "in_progress"}}}}}};
}

json::object example_workload_bee() {
    return to_json(WorkloadBee{
        .instance = "alpha-processor-1",
        .role = "processor",
        .swarm = "alpha",
        .health = "healthy",
        .enabled = true,
        .tps = 1200});
}

api::Route route(http::Method method, std::string path, std::string id, std::string summary) {
    const bool reads = method == http::Method::get;
    return {
        .method = method,
        .path = std::move(path),
        .id = std::move(id),
        .summary = std::move(summary),
        .tag = "bees",
        .access = Access::needs(Area::bees, reads ? Level::read : Level::write),
        .handler = {},
        .answers = {{200, "As it is now", bee_content()}},
        .idempotency = reads ? api::Idempotency::refused : api::Idempotency::accepted};
}

} // namespace

void add_bee_schemas(json::object& schemas) {
    const json::object words{{"type", "array"}, {"items", text_schema(100)}, {"maxItems", 50}};
    schemas["Bee"] = closed_object(
        {{"id", text_schema()},
         {"kind", words_schema({"working"})},
         {"presence", words_schema({"there", "working", "away", "quiet", "silent"})},
         {"skills?", words},
         {"status?", text_schema(40)},
         {"note?", text_schema(4000)},
         {"firstSeen", time_schema()},
         {"lastSeen", time_schema()},
         {"lastAct?", text_schema(60)},
         {"alarm", words_schema({"none", "quiet", "silent"})},
         {"paused?", {{"type", "boolean"}}},
         {"metadata?", {{"type", "object"}}},
         {"tasks",
          {{"type", "array"},
           {"items", closed_object(
                         {{"id", text_schema()},
                          {"ref", text_schema()},
                          {"title", text_schema()},
                          {"state", text_schema(20)},
                          {"percent?", integer_schema()}})}}},
         {"messages?",
          closed_object(
              {{"verdict", words_schema({"admitted", "too-fast", "over-day", "cooling"})},
               {"leftNow", integer_schema()},
               {"leftToday", integer_schema()},
               {"perMinute", integer_schema()},
               {"perDay", integer_schema()},
               {"silentUntil?", time_schema()}})}});
    schemas["WorkloadBee"] = workload_bee_schema();
    const json::object either{{"anyOf", {ref("Bee"), ref("WorkloadBee")}}};
    schemas["AnyBee"] = either;
    schemas["BeeGreeting"] = closed_object(
        {{"skills?", words},
         {"status?", text_schema(40)},
         {"note?", text_schema(4000)},
         {"metadata?", {{"type", "object"}}}});
}

std::vector<api::Route> bee_routes(const SessionParts& sessions, ColonyParts& colony) {
    const auto desk = std::make_shared<const BeeDesk>(sessions, colony);
    Routes routes;
    auto list = route(http::Method::get, "/api/v1/bees", "listBees", "Who is here and does what");
    list.handler = api::AsyncHandler{[desk](Call call) { return desk->list(call); }};
    list.query = {
        {.name = "limit",
         .kind = api::ParameterKind::integer,
         .range = {1, 1000},
         .fallback = std::int64_t{100}},
        {.name = "kind", .description = "`working`, or `workload`: the bees of running swarms"},
        {.name = "cursor", .description = "`next` of the page before", .range = {1, 512}}};
    list.answers = {
        {200, "A page",
         api::Content{
             .schema = list_of("AnyBee"),
             .example = {{"items", json::array{bee_content().example, example_workload_bee()}}}}}};
    routes.push_back(std::move(list));

    auto show = route(
        http::Method::get, "/api/v1/bees/{bee:text}", "getBee",
        "One bee, and what it may still say");
    show.handler = api::AsyncHandler{[desk](Call call) { return desk->show(call); }};
    show.answers = {
        {200, "As it is now",
         api::Content{.schema = ref("AnyBee"), .example = bee_content().example}}};
    routes.push_back(std::move(show));

    auto greet = route(
        http::Method::post, "/api/v1/bees/heartbeat", "beat",
        "I am here; what I can and what I do");
    greet.handler = api::AsyncHandler{[desk](Call call) { return desk->greet(call); }};
    greet.request = api::Content{
        .schema = ref("BeeGreeting"),
        .example = {{"skills", {"cpp"}}, {"status", "STANDBY"}},
        .required = false};
    routes.push_back(std::move(greet));

    for (const bool paused : {true, false}) {
        auto pause = route(
            http::Method::post,
            fmt::format("/api/v1/bees/{{bee:text}}/{}", paused ? "pause" : "resume"),
            paused ? "pauseBee" : "resumeBee",
            paused ? "It gets no new task until it is resumed" : "It may take tasks again");
        pause.handler =
            api::AsyncHandler{[desk, paused](Call call) { return desk->pause(call, paused); }};
        routes.push_back(std::move(pause));
    }
    return routes;
}

Chore bee_chore(const HiveId& hive, ColonyParts& colony) {
    const auto work = [&colony](Unit& unit) -> Status {
        Workplace place{unit, colony};
        const auto told = report_silence(place.hall(), colony.policy.silence, 100);
        return told ? Status{} : fail(told.error().kind, told.error().detail);
    };
    return {.name = "bees", .every = std::chrono::seconds{5}, .work = as_chore(hive, work)};
}

} // namespace hive::rest
