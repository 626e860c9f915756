#include "api/rest/stored_order.hpp"

#include "kernel/overloaded.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <stdexcept>

namespace hive::rest {
namespace {

using orchestrator::ConfigAsked;
using orchestrator::CreateAsked;
using orchestrator::Queen;
using orchestrator::Wish;
using orchestrator::WishAsked;

std::string text_at(const json::object& from, std::string_view name) {
    return std::string{std::string_view{from.at(name).as_string()}};
}

json::object stored_ask(const Queen::Ask& ask) {
    return std::visit(
        overloaded{
            [](const CreateAsked& create) {
                return json::object{
                    {"ask", "create"},
                    {"swarm", create.swarm.text()},
                    {"text", create.text},
                    {"plan", create.plan},
                    {"run", create.run}};
            },
            [](const WishAsked& wish) {
                return json::object{
                    {"ask", "wish"}, {"swarm", wish.swarm.text()}, {"wish", name_of(wish.wish)}};
            },
            [](const ConfigAsked& config) {
                return json::object{
                    {"ask", "config"},
                    {"swarm", config.target.swarm.text()},
                    {"role", config.target.role.text()},
                    {"instance", config.target.instance.text()},
                    {"patch", config.patch}};
            }},
        ask);
}

Wish wish_of(std::string_view text) {
    for (const Wish wish : {Wish::stopped, Wish::running, Wish::removed}) {
        if (name_of(wish) == text) return wish;
    }
    throw std::invalid_argument{std::string{text}};
}

Queen::Ask read_ask(const json::object& from) {
    const std::string kind = text_at(from, "ask");
    if (kind == "config") {
        return ConfigAsked{
            .target =
                {wire::Target<SwarmId>::parse(text_at(from, "swarm")).value(),
                 wire::Target<Role>::parse(text_at(from, "role")).value(),
                 wire::Target<InstanceId>::parse(text_at(from, "instance")).value()},
            .patch = from.at("patch").as_object(),
            .attempt = {}};
    }
    SwarmId swarm = SwarmId::parse(text_at(from, "swarm")).value();
    if (kind == "create") {
        return CreateAsked{
            .swarm = std::move(swarm),
            .text = from.at("text").as_object(),
            .plan = from.at("plan").as_object(),
            .attempt = {},
            .run = text_at(from, "run")};
    }
    return WishAsked{
        .swarm = std::move(swarm), .wish = wish_of(text_at(from, "wish")), .attempt = {}};
}

json::object stored_run(const store::RunRow& run) {
    return {{"id", run.id}, {"swarm", run.swarm}, {"labels", run.labels}, {"notes", run.notes}};
}

Order read_order(const json::object& from) {
    const json::object& happening = from.at("happening").as_object();
    Order order{
        .swarm = SwarmId::parse(text_at(from, "swarm")).value(),
        .happening = {
            .action = text_at(happening, "action"),
            .entity_type = "swarm",
            .entity_id = text_at(happening, "entity"),
            .details = happening.at("details").as_object()}};
    for (const auto& ask : from.at("asks").as_array()) {
        order.asks.push_back(read_ask(ask.as_object()));
    }
    if (const auto* run = from.if_contains("run")) {
        const json::object& row = run->as_object();
        order.run = store::RunRow{
            .id = text_at(row, "id"),
            .swarm = text_at(row, "swarm"),
            .labels = row.at("labels").as_object(),
            .notes = text_at(row, "notes")};
    }
    return order;
}

} // namespace

json::object to_stored(const Order& order) {
    json::array asks;
    for (const auto& ask : order.asks) asks.push_back(stored_ask(ask));
    json::object out{
        {"swarm", order.swarm.text()},
        {"asks", std::move(asks)},
        {"happening", json::object{
                          {"action", order.happening.action},
                          {"entity", order.happening.entity_id},
                          {"details", order.happening.details}}}};
    if (order.run) out["run"] = stored_run(*order.run);
    return out;
}

Result<Order> order_from_stored(const json::value& value) {
    try {
        return read_order(value.as_object());
    } catch (const std::exception& error) {
        return fail(Errc::invalid, std::string{"a stored command does not read: "} + error.what());
    }
}

std::string_view act_of(const Queen::Ask& ask) {
    return std::visit(
        overloaded{
            [](const CreateAsked&) -> std::string_view { return "swarm.create"; },
            [](const ConfigAsked&) -> std::string_view { return "swarm.config"; },
            [](const WishAsked& wish) -> std::string_view {
                switch (wish.wish) {
                case Wish::running: return "swarm.start";
                case Wish::stopped: return "swarm.stop";
                case Wish::removed: return "swarm.remove";
                }
                std::abort();
            }},
        ask);
}

std::string swarm_of(const Queen::Ask& ask) {
    return std::visit(
        overloaded{
            [](const ConfigAsked& config) { return std::string{config.target.swarm.text()}; },
            [](const auto& other) { return std::string{other.swarm.text()}; }},
        ask);
}

void sign(Queen::Ask& ask, wire::Attempt attempt, std::string who) {
    std::visit(
        [&](auto& one) {
            one.attempt = std::move(attempt);
            one.who = std::move(who);
        },
        ask);
}

} // namespace hive::rest
