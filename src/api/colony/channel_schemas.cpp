#include "api/colony/channel_routes.hpp"
#include "api/rest/schemas.hpp"

namespace hive::rest {
namespace {

json::object words(std::size_t most) {
    return {{"type", "array"}, {"items", text_schema(200)}, {"maxItems", most}};
}

json::object message_schema() {
    return closed_object(
        {{"id", text_schema()},
         {"channel", text_schema()},
         {"sender", text_schema()},
         {"content", text_schema(colony::channels::content_max)},
         {"type", text_schema(20)},
         {"replyTo?", text_schema()},
         {"thread?", text_schema()},
         {"tags?", words(20)},
         {"metadata?", {{"type", "object"}}},
         {"createdAt", time_schema()},
         {"ackFrom?", words(100)},
         {"ackBy?", time_schema()},
         {"overdue?", {{"type", "boolean"}}},
         {"acks?",
          {{"type", "array"},
           {"items", closed_object({{"bee", text_schema()}, {"at", time_schema()}})}}}});
}

json::object new_message_schema() {
    return closed_object(
        {{"content", text_schema(colony::channels::content_max)},
         {"type?", text_schema(20)},
         {"replyTo?", text_schema()},
         {"tags?", words(20)},
         {"metadata?", {{"type", "object"}}},
         {"ackFrom?", words(100)},
         {"ackWithin?", text_schema(40)}});
}

} // namespace

void add_channel_schemas(json::object& schemas) {
    schemas["Message"] = message_schema();
    schemas["NewMessage"] = new_message_schema();
    schemas["Channel"] = closed_object(
        {{"name", text_schema()},
         {"messages", integer_schema()},
         {"unread", integer_schema()},
         {"last", text_schema()},
         {"changedAt", time_schema()}});
    schemas["ReadCursor"] = closed_object({{"message", text_schema()}});
}

api::Content message_content() {
    return {
        .schema = ref("Message"),
        .example = {
            {"id", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a12"},
            {"channel", "general"},
            {"sender", "BEE-001"},
            {"content", "Starting with TASK-9"},
            {"type", "text"},
            {"createdAt", "2026-01-05T10:00:00Z"}}};
}

} // namespace hive::rest
