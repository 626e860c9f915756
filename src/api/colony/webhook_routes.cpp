#include "api/colony/webhook_routes.hpp"

#include "api/colony/webhook_courier.hpp"
#include "api/colony/webhook_desk.hpp"
#include "api/rest/schemas.hpp"

#include <memory>
#include <utility>

namespace hive::rest {
namespace {

using api::Access;
using api::Area;
using api::Call;
using api::Level;

using Routes = std::vector<api::Route>;
using Desk = std::shared_ptr<const WebhookDesk>;
using Act = WebhookDesk::Later (WebhookDesk::*)(Call) const;

const std::string all = "/api/v1/webhooks";
const std::string one = all + "/{webhook:uuid}";

struct Told {
    std::string id;
    std::string summary;
};

api::Content content_of(std::string_view schema, json::value example) {
    return {.schema = ref(schema), .example = std::move(example)};
}

api::Content webhook_content() {
    return content_of("Webhook", example_webhook());
}

api::Content with_secret() {
    json::object example = example_webhook();
    example["secret"] = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
    return content_of("WebhookWithSecret", std::move(example));
}

api::Route route(http::Method method, std::string path, Told told) {
    const bool reads = method == http::Method::get;
    return {
        .method = method,
        .path = std::move(path),
        .id = std::move(told.id),
        .summary = std::move(told.summary),
        .tag = "webhooks",
        .access = Access::needs(Area::webhooks, reads ? Level::read : Level::write),
        .handler = {},
        .idempotency = reads ? api::Idempotency::refused : api::Idempotency::accepted};
}

void add(Routes& routes, api::Route route, const Desk& desk, Act act) {
    route.handler = api::AsyncHandler{[desk, act](Call call) { return ((*desk).*act)(call); }};
    routes.push_back(std::move(route));
}

void add_reading(Routes& routes, const Desk& desk) {
    auto list = route(http::Method::get, all, {"listWebhooks", "Who outside is told of what"});
    list.answers = {
        {200, "All of them",
         api::Content{
             .schema = list_of("Webhook"),
             .example = {{"items", json::array{example_webhook()}}}}}};
    add(routes, std::move(list), desk, &WebhookDesk::list);

    auto show = route(http::Method::get, one, {"getWebhook", "One webhook, without its secret"});
    show.answers = {{200, "As it is now", webhook_content()}};
    add(routes, std::move(show), desk, &WebhookDesk::show);

    auto log = route(
        http::Method::get, one + "/deliveries",
        {"listDeliveries", "What was sent to it and what came back, the newest first"});
    log.query = {
        {.name = "state", .description = "pending, delivered or failed"},
        {.name = "event", .description = "only this event, such as `task.completed`"},
        {.name = "limit",
         .kind = api::ParameterKind::integer,
         .range = {1, 1000},
         .fallback = std::int64_t{100}},
        {.name = "cursor", .description = "`next` of the page before", .range = {1, 512}}};
    log.answers = {
        {200, "A page",
         api::Content{
             .schema = list_of("WebhookDelivery"),
             .example = {{"items", json::array{example_delivery()}}}}}};
    add(routes, std::move(log), desk, &WebhookDesk::deliveries);

    auto delivery = route(
        http::Method::get, one + "/deliveries/{delivery:uuid}",
        {"getDelivery", "One delivery, with what is sent"});
    delivery.answers = {{200, "As it is now", content_of("WebhookDelivery", example_delivery())}};
    add(routes, std::move(delivery), desk, &WebhookDesk::delivery);
}

void add_changing(Routes& routes, const Desk& desk) {
    auto create = route(
        http::Method::post, all,
        {"createWebhook", "Tell somebody outside; the answer has the secret that signs"});
    create.request = content_of(
        "NewWebhook", {{"url", "https://ci.example/hooks/hive"}, {"events", {"task.*"}}});
    create.answers = {{201, "Created", with_secret()}};
    create.idempotency = api::Idempotency::refused; // a kept answer would keep the secret
    add(routes, std::move(create), desk, &WebhookDesk::create);

    auto change =
        route(http::Method::patch, one, {"changeWebhook", "Change it, or enable or disable it"});
    change.request = content_of("WebhookChanges", {{"enabled", false}});
    change.answers = {{200, "As it is now", webhook_content()}};
    add(routes, std::move(change), desk, &WebhookDesk::change);

    auto remove =
        route(http::Method::remove, one, {"removeWebhook", "Remove it and its deliveries"});
    remove.answers = {{200, "As it was", webhook_content()}};
    add(routes, std::move(remove), desk, &WebhookDesk::remove);

    auto rotate = route(
        http::Method::post, one + "/rotate",
        {"rotateWebhookSecret", "A new secret; the old one signs as well for a while"});
    rotate.request = content_of("WebhookRotation", {{"overlap", "24h"}});
    rotate.request->required = false;
    rotate.answers = {{200, "With the new secret", with_secret()}};
    rotate.idempotency = api::Idempotency::refused;
    add(routes, std::move(rotate), desk, &WebhookDesk::rotate);
}

void add_sending(Routes& routes, const Desk& desk) {
    const api::Content delivery = content_of("WebhookDelivery", example_delivery());
    auto test = route(
        http::Method::post, one + "/test", {"testWebhook", "Send a `ping`, whatever it wants"});
    test.answers = {{202, "On its way", delivery}};
    add(routes, std::move(test), desk, &WebhookDesk::test);

    auto again = route(
        http::Method::post, one + "/deliveries/{delivery:uuid}/replay",
        {"replayDelivery", "Send it again, under the same id"});
    again.answers = {{202, "On its way", delivery}};
    add(routes, std::move(again), desk, &WebhookDesk::replay);

    auto since = route(
        http::Method::post, one + "/replay",
        {"replayDeliveries", "Send what has failed since a time again, or all; 10,000 at most"});
    since.request = content_of("WebhookReplay", {{"since", "2026-01-05T10:00:00Z"}});
    since.answers = {{202, "How many", content_of("WebhookReplayed", {{"replayed", 12}})}};
    add(routes, std::move(since), desk, &WebhookDesk::replay_all);
}

} // namespace

void offer_webhooks(const WebhookParts& webhooks, HiveParts& parts) {
    const auto courier = std::make_shared<WebhookCourier>(webhooks);
    parts.outbox = &webhooks.outbox;
    parts.more.push_back([webhooks, courier](const SessionParts& sessions) {
        courier->report_to(sessions.transactions);
        const auto desk = std::make_shared<const WebhookDesk>(sessions, webhooks);
        Routes routes;
        add_reading(routes, desk);
        add_changing(routes, desk);
        add_sending(routes, desk);
        return routes;
    });
    add_webhook_schemas(parts.schemas);
    parts.chores.push_back(courier->deliveries());
    parts.chores.push_back(courier->log());
    parts.closing.emplace_back([courier] { courier->close(); });
}

} // namespace hive::rest
