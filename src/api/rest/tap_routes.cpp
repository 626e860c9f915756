// Taps: what passes a queue, for who debugs a swarm.
#include "api/http/await_callback.hpp"
#include "api/rest/schemas.hpp"
#include "api/rest/swarm_route_groups.hpp"
#include "controller/template.hpp"
#include "kernel/duration.hpp"

#include <fmt/format.h>

namespace hive::rest {
namespace {

using api::Access;
using api::Area;
using api::Call;
using api::Level;

constexpr Duration patience = std::chrono::seconds{30};

std::string_view text_at(const json::object& body, std::string_view name) {
    const auto* found = body.if_contains(name);
    return found == nullptr ? std::string_view{} : std::string_view{found->get_string()};
}

// A queue of the swarm by its own name, or as that of a role's port.
struct Place {
    Role role;
    QueueName queue;
};
Result<Place> place_of(const controller::Template& plan, const json::object& body) {
    const std::string_view queue = text_at(body, "queue");
    const std::string_view role = text_at(body, "role");
    const std::string_view port = text_at(body, "port");
    const std::string_view direction = text_at(body, "direction");
    if (queue.empty() && role.empty()) {
        return fail(Errc::invalid, "say which queue, or which role: `queue` or `role`");
    }
    for (const auto& bee : plan.bees) {
        if (!role.empty() && bee.role.text() != role) continue;
        for (const bool out : {true, false}) {
            if (!direction.empty() && (direction == "out") != out) continue;
            for (const auto& one : out ? bee.out : bee.in) {
                if (!port.empty() && one.id != port) continue;
                if (!queue.empty() && one.queue.text() != queue) continue;
                return Place{bee.role, one.queue};
            }
        }
    }
    return fail(
        Errc::not_found, "the swarm's template has no queue like that; look at GET /swarms/{id}");
}

Result<TapWish> wish_of(const SwarmCourt& court, std::string_view swarm, const json::object& body) {
    const auto report = present(court, swarm);
    if (!report) return fail(report.error());
    const auto plan = controller::read_template((*report)->swarm.id, (*report)->swarm.text);
    if (!plan) return fail(plan.error());
    auto place = place_of(*plan, body);
    if (!place) return fail(place.error());
    TapWish wish{(*report)->swarm.id, std::move(place->role), std::move(place->queue)};
    if (const auto* max = body.if_contains("max")) {
        wish.max = static_cast<std::size_t>(max->as_int64());
    }
    if (const auto ttl = text_at(body, "ttl"); !ttl.empty()) {
        const auto parsed = parse_duration(ttl);
        if (!parsed) return fail(Errc::invalid, fmt::format("ttl: {}", parsed.error().detail));
        wish.ttl = *parsed;
    }
    return wish;
}

using Question = std::function<void(const TapDesk::Answered& answered)>;

asio::awaitable<Result<json::object>> ask_desk(Question ask) {
    auto answered = co_await http::await_callback<Result<json::object>>(
        [&](const TapDesk::Answered& done) { ask(done); }, patience);
    if (!answered) co_return fail(Errc::timeout, "the broker did not answer in time");
    co_return std::move(*answered);
}

// Who looked at what: a tap shows the payloads of others. The broker is not the store, so this is
// written down right behind it.
asio::awaitable<http::Response>
record(Transactions* transactions, Call call, std::string action, json::object tap) {
    std::string id{tap.at("id").as_string()};
    json::object details{{"swarm", tap.at("swarm")}, {"queue", tap.at("queue")}};
    if (action == "swarm.tap.drained") details["items"] = tap.at("items").as_array().size();
    co_return co_await transactions->change(
        call,
        [action = std::move(action), id = std::move(id),
         details = std::move(details)](Change& change) -> Result<http::Response> {
            auto ok = change.record({action, "tap", id, details});
            if (!ok) return fail(ok.error());
            return http::Response{.status = 204};
        });
}

asio::awaitable<http::Response> open(TapDesk* taps, Commands commands, Call call) {
    auto wish = wish_of(commands->court(), call.path("swarmId"), call.body().as_object());
    if (!wish) co_return call.fail(wish.error());
    const auto tap = co_await ask_desk(
        [taps, wish = *wish](const TapDesk::Answered& done) { taps->open(wish, done); });
    if (!tap) co_return call.fail(tap.error());
    auto recorded = co_await record(&commands->transactions(), call, "swarm.tap.opened", *tap);
    if (recorded.status == 204) co_return api::json_response(*tap, 201);
    // What cannot be written down must not be seen.
    co_await ask_desk([taps, id = std::string{tap->at("id").as_string()}](
                          const TapDesk::Answered& done) { taps->close(id, done); });
    co_return recorded;
}

api::Content tap_content() {
    return {
        .schema = ref("Tap"),
        .example = {
            {"id", "tap-0badcafe"},
            {"swarm", "alpha"},
            {"queue", "raw"},
            {"max", 100},
            {"expiresAt", "2026-01-05T10:05:00Z"},
            {"dropped", 0},
            {"items", json::array{}}}};
}

using Read = void (TapDesk::*)(std::string, TapDesk::Answered);

asio::awaitable<Result<json::object>> ask_tap(TapDesk* taps, Read method, Call call) {
    return ask_desk([taps, method, id = std::string{call.path("tapId")}](
                        const TapDesk::Answered& done) { (taps->*method)(id, done); });
}

asio::awaitable<http::Response> peek(TapDesk* taps, Call call) {
    const auto tap = co_await ask_tap(taps, &TapDesk::peek, call);
    co_return tap ? api::json_response(*tap) : call.fail(tap.error());
}

asio::awaitable<http::Response> drain(TapDesk* taps, Commands commands, Call call) {
    const auto tap = co_await ask_tap(taps, &TapDesk::drain, call);
    if (!tap) co_return call.fail(tap.error());
    auto recorded = co_await record(&commands->transactions(), call, "swarm.tap.drained", *tap);
    co_return recorded.status == 204 ? api::json_response(*tap) : std::move(recorded);
}

asio::awaitable<http::Response> close(TapDesk* taps, Commands commands, Call call) {
    const auto tap = co_await ask_tap(taps, &TapDesk::close, call);
    if (!tap) co_return call.fail(tap.error());
    co_return co_await record(&commands->transactions(), call, "swarm.tap.closed", *tap);
}

} // namespace

void add_tap_routes(Routes& routes, TapDesk& taps, const Commands& commands) {
    TapDesk* const desk = &taps;
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/swarms/{swarmId:SwarmId}/taps",
         .id = "openTap",
         .summary = "Copies what passes a queue from now on; ends by itself",
         .tag = "taps",
         .access = Access::needs(Area::swarms, Level::write),
         .handler =
             api::AsyncHandler{[desk, commands](Call call) { return open(desk, commands, call); }},
         .request =
             api::Content{
                 .schema = ref("TapRequest"),
                 .example = {{"role", "processor"}, {"direction", "in"}, {"max", 50}}},
         .answers = {{201, "The tap", tap_content()}}});
    routes.push_back(
        {.path = "/api/v1/taps/{tapId:id}",
         .id = "peekTap",
         .summary = "What a tap holds, oldest first",
         .tag = "taps",
         .access = Access::needs(Area::swarms, Level::write),
         .handler = api::AsyncHandler{[desk](Call call) { return peek(desk, call); }},
         .answers = {{200, "The tap", tap_content()}}});
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/taps/{tapId:id}/drain",
         .id = "drainTap",
         .summary = "What a tap holds, which it then forgets",
         .tag = "taps",
         .access = Access::needs(Area::swarms, Level::write),
         .handler =
             api::AsyncHandler{[desk, commands](Call call) { return drain(desk, commands, call); }},
         .answers = {{200, "The tap", tap_content()}}});
    routes.push_back(
        {.method = http::Method::remove,
         .path = "/api/v1/taps/{tapId:id}",
         .id = "closeTap",
         .summary = "Ends a tap",
         .tag = "taps",
         .access = Access::needs(Area::swarms, Level::write),
         .handler =
             api::AsyncHandler{[desk, commands](Call call) { return close(desk, commands, call); }},
         .answers = {{204, "Closed", {}}}});
}

} // namespace hive::rest
