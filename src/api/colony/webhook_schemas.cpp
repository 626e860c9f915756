#include "api/colony/webhook_routes.hpp"
#include "api/rest/schemas.hpp"

namespace hive::rest {
namespace {

const json::object truth{{"type", "boolean"}};

json::object events_schema() {
    return {
        {"type", "array"},
        {"items", text_schema(100)},
        {"minItems", 1},
        {"maxItems", 50},
        {"description", "`task.*`, `message.new`, `audit.checkpoint`, `*`"}};
}

json::object format_schema() {
    return words_schema({"standard", "github", "discord"});
}

json::object webhook_schema(bool with_secret) {
    json::object out = closed_object(
        {{"id", text_schema()},
         {"url", text_schema(2000)},
         {"events", events_schema()},
         {"format", format_schema()},
         {"description?", text_schema(1000)},
         {"enabled", truth},
         {"disabledBecause?", words_schema({"failing", "gone"})},
         {"createdAt", time_schema()},
         {"failingSince?", time_schema()},
         {"lastArrival?", time_schema()},
         {"rotationUntil?", time_schema()},
         {"hasToken?", truth}});
    if (!with_secret) return out;
    json::object secret = text_schema(100);
    secret["description"] = "signs deliveries; shown here and never again";
    out["properties"].as_object()["secret"] = std::move(secret);
    out["required"].as_array().emplace_back("secret");
    return out;
}

json::object attempt_schema() {
    return closed_object(
        {{"at", time_schema()},
         {"tookMs", integer_schema()},
         {"status?", integer_schema()},
         {"answer?", text_schema(4000)}});
}

} // namespace

void add_webhook_schemas(json::object& schemas) {
    schemas["Webhook"] = webhook_schema(false);
    schemas["WebhookWithSecret"] = webhook_schema(true);
    schemas["NewWebhook"] = closed_object(
        {{"url", text_schema(2000)},
         {"events", events_schema()},
         {"format?", format_schema()},
         {"description?", text_schema(1000)},
         {"enabled?", truth},
         {"token?", text_schema(1000)}});
    schemas["WebhookChanges"] = closed_object(
        {{"url?", text_schema(2000)},
         {"events?", events_schema()},
         {"format?", format_schema()},
         {"description?", text_schema(1000)},
         {"enabled?", truth},
         {"token?", text_schema(1000)}});
    schemas["WebhookRotation"] = closed_object({{"overlap?", text_schema(40)}});
    schemas["WebhookReplay"] =
        closed_object({{"since", time_schema()}, {"which?", words_schema({"failed", "all"})}});
    schemas["WebhookReplayed"] = closed_object({{"replayed", integer_schema()}});
    schemas["WebhookDelivery"] = closed_object(
        {{"id", text_schema()},
         {"webhook", text_schema()},
         {"event", text_schema()},
         {"state", words_schema({"pending", "delivered", "failed"})},
         {"createdAt", time_schema()},
         {"nextAttempt?", time_schema()},
         {"tries", integer_schema()},
         {"attempts", integer_schema()},
         {"log", {{"type", "array"}, {"items", attempt_schema()}}},
         {"payload?", {{"type", "object"}}}});
}

json::object example_webhook() {
    return {
        {"id", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a31"}, {"url", "https://ci.example/hooks/hive"},
        {"events", {"task.completed", "approval.*"}},   {"format", "standard"},
        {"description", "builds what is done"},         {"enabled", true},
        {"createdAt", "2026-01-05T10:00:00Z"}};
}

json::object example_delivery() {
    return {
        {"id", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a32"},
        {"webhook", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a31"},
        {"event", "task.completed"},
        {"state", "pending"},
        {"createdAt", "2026-01-05T10:00:00Z"},
        {"nextAttempt", "2026-01-05T10:00:05Z"},
        {"tries", 1},
        {"attempts", 1},
        {"log",
         {{{"at", "2026-01-05T10:00:00Z"}, {"tookMs", 12}, {"status", 503}, {"answer", "busy"}}}}};
}

} // namespace hive::rest
