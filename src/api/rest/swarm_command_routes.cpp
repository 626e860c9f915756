// Creating, starting, stopping and removing swarms.
#include "api/rest/schemas.hpp"
#include "api/rest/swarm_route_groups.hpp"
#include "controller/template.hpp"
#include "kernel/encoding.hpp"
#include "kernel/entropy.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::rest {
namespace {

using api::Access;
using api::Area;
using api::Call;
using api::Level;
using orchestrator::CreateAsked;
using orchestrator::Wish;
using orchestrator::WishAsked;

std::string fresh_run() {
    std::array<std::uint8_t, 6> bytes{};
    fill_from_entropy(bytes);
    return "run-" + to_hex(bytes);
}

// `bees[0].work.in.port` as a JSON pointer into the request.
std::string pointer_of(std::string_view path) {
    std::string out = "/template/";
    for (const char c : path) {
        if (c == ']') continue;
        out += c == '[' || c == '.' ? '/' : c;
    }
    return out;
}

// read_template() joins what is wrong: `bees[0].role: why; bees[2]: why`.
api::Problem template_problem(std::string_view detail) {
    api::Problem problem{
        .status = 400, .code = "invalid-template", .detail = "the template cannot be used"};
    while (!detail.empty()) {
        const std::size_t end = std::min(detail.find("; bees["), detail.size());
        const std::string_view one = detail.substr(0, end);
        const std::size_t colon = std::min(one.find(": "), one.size());
        problem.errors.push_back(
            {pointer_of(one.substr(0, colon)),
             std::string{one.substr(std::min(colon + 2, one.size()))}});
        detail.remove_prefix(std::min(end + 2, detail.size()));
    }
    return problem;
}

json::object object_at(const json::object& body, std::string_view name) {
    const auto* found = body.if_contains(name);
    return found == nullptr ? json::object{} : found->as_object();
}

json::object details_of(const SwarmOrder& order, const std::string& run) {
    json::object details{{"run", run}};
    if (order.scenario.empty()) return details;
    details["scenario"] = order.scenario;
    details["revision"] = order.revision;
    return details;
}

// A run can be found by what it was made from.
json::object labels_of(const SwarmOrder& order, json::object labels) {
    if (order.scenario.empty()) return labels;
    labels.emplace("scenario", order.scenario);
    labels.emplace("revision", order.revision);
    return labels;
}

asio::awaitable<http::Response> create(Commands commands, ReadSwarmOrder read, Call call) {
    const json::object& body = call.body().as_object();
    const auto swarm = SwarmId::parse(body.at("id").as_string());
    if (!swarm) {
        co_return call.fail(api::Problem{
            .status = 400,
            .code = "invalid",
            .detail = swarm.error().detail,
            .errors = {{"/id", swarm.error().detail}}});
    }
    auto wanted = read(body);
    if (!wanted) co_return call.fail(wanted.error());
    if (const auto readable = controller::read_template(*swarm, wanted->text); !readable) {
        co_return call.fail(template_problem(readable.error().detail));
    }
    const std::string run = fresh_run();
    const auto* notes = body.if_contains("notes");
    const auto* start = body.if_contains("autoStart");
    Order order{
        .swarm = *swarm,
        .happening =
            {.action = "swarm.created",
             .entity_type = "swarm",
             .entity_id = swarm->text(),
             .details = details_of(*wanted, run)},
        .run = store::RunRow{
            .id = run,
            .swarm = swarm->text(),
            .created = commands->transactions().clock().wall(),
            .labels = labels_of(*wanted, object_at(body, "labels")),
            .notes = notes == nullptr ? "" : std::string{notes->as_string()}}};
    order.asks.emplace_back(CreateAsked{
        .swarm = *swarm,
        .text = std::move(wanted->text),
        .plan = std::move(wanted->plan),
        .attempt = {},
        .run = run});
    if (start != nullptr && start->as_bool()) {
        order.asks.emplace_back(WishAsked{.swarm = *swarm, .wish = Wish::running, .attempt = {}});
    }
    co_return co_await commands->carry_out(call, std::move(order));
}

struct WishRoute {
    http::Method method;
    std::string_view path_end;
    std::string id;
    std::string summary;
    Wish wish;
    std::string action;
};

asio::awaitable<http::Response>
wish(Commands commands, Call call, Wish wanted, std::string action) {
    auto swarm = SwarmId::parse(call.path("swarmId"));
    if (!swarm) co_return call.fail(swarm.error());
    Order order{
        .swarm = *swarm,
        .happening = {
            .action = std::move(action), .entity_type = "swarm", .entity_id = swarm->text()}};
    order.asks.emplace_back(WishAsked{.swarm = *swarm, .wish = wanted, .attempt = {}});
    co_return co_await commands->carry_out(call, std::move(order));
}

void add_wish_route(Routes& routes, const Commands& commands, WishRoute one) {
    const auto handler = [commands, wanted = one.wish, action = one.action](Call call) {
        return wish(commands, call, wanted, action);
    };
    routes.push_back(
        {.method = one.method,
         .path = fmt::format("/api/v1/swarms/{{swarmId:SwarmId}}{}", one.path_end),
         .id = std::move(one.id),
         .summary = std::move(one.summary),
         .tag = "swarms",
         .access = Access::needs(Area::swarms, Level::write),
         .handler = api::AsyncHandler{handler},
         .query = {wait_parameter()},
         .answers = command_answers(),
         .idempotency = api::Idempotency::accepted});
}

api::Content create_content() {
    return {
        .schema = ref("SwarmRequest"),
        .example = {
            {"id", "alpha"},
            {"template",
             {{"bees",
               {{{"id", "gen"}, {"role", "generator"}, {"work", {{"out", {{"out", "raw"}}}}}},
                {{"id", "proc"}, {"role", "processor"}, {"work", {{"in", {{"in", "raw"}}}}}}}}}},
            {"labels", {{"ticket", "PH-4"}}},
            {"autoStart", true}}};
}

} // namespace

void add_swarm_command_routes(
    Routes& routes, const Commands& commands, const ReadSwarmOrder& read) {
    const auto make = [commands, read](Call call) { return create(commands, read, call); };
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/swarms",
         .id = "createSwarm",
         .summary = "A new swarm from a template or a stored scenario; started too when "
                    "`autoStart` says so",
         .tag = "swarms",
         .access = Access::needs(Area::swarms, Level::write),
         .handler = api::AsyncHandler{make},
         .query = {wait_parameter()},
         .request = create_content(),
         .answers = command_answers(),
         .idempotency = api::Idempotency::accepted});
    add_wish_route(
        routes, commands,
        {http::Method::post, "/start", "startSwarm", "Starts the work of a swarm", Wish::running,
         "swarm.started"});
    add_wish_route(
        routes, commands,
        {http::Method::post, "/stop", "stopSwarm", "Stops the work of a swarm; its bees stay",
         Wish::stopped, "swarm.stopped"});
    add_wish_route(
        routes, commands,
        {http::Method::remove, "", "removeSwarm",
         "Removes a swarm with its bees and queues; its journal stays", Wish::removed,
         "swarm.removed"});
    routes.push_back(
        {.path = "/api/v1/commands/{correlationId:id}",
         .id = "getCommandOutcome",
         .summary = "How a command ended, for a day after it did; 202 until then",
         .tag = "swarms",
         .access = Access::needs(Area::swarms, Level::read),
         .handler = api::AsyncHandler{[commands](Call call) { return commands->follow_up(call); }},
         .query = {wait_parameter()},
         .answers = {
             command_answers().front(),
             {202, "Under way",
              api::Content{
                  .schema = closed_object({{"correlationId", text_schema()}}),
                  .example = {{"correlationId", "5f0c1c52-7b9c-4b7e-9a8e-3f4a5b6c7d8e"}}}},
             {404, "Nothing with this correlation id was asked within the last day"}}});
}

} // namespace hive::rest
