#pragma once

#include "api/access.hpp"
#include "api/call.hpp"
#include "api/http/request.hpp"
#include "api/http/response.hpp"
#include "api/parameter.hpp"
#include "kernel/json.hpp"

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hive::api {

struct Content {
    json::object schema; // JSON Schema, in the subset of api/schema.hpp
    json::value example;
    std::string type = std::string{json_type};
    bool required = true; // of a request; an absent body counts as {}
};

struct Answer {
    unsigned status = 200;
    std::string description;
    std::optional<Content> content{};
};

struct RouteLimits {
    std::optional<std::size_t> body_bytes{}; // instead of the server's
    std::size_t json_depth = 32;
};

// How a route treats the Idempotency-Key header. The key is checked here; the handler looks it up
// in the transaction that makes the change, so that both or neither are kept.
// Refused: on a change that keeps no answer, because it shows a secret or is not the store's; a
// client must not believe that repeating it is safe. Ignored: repeating it changes nothing.
enum class Idempotency : std::uint8_t { refused, ignored, accepted, required };

// Sent: the answer has an ETag, for If-Match. Cached: also for If-None-Match, which gets 304.
// Matched: a change that If-Match protects, with 412.
enum class EntityTag : std::uint8_t { none, sent, cached, matched };

// The simple form, and the one for work that waits. A coroutine takes its Call by value; what the
// call refers to stays valid until the answer is there.
using SyncHandler = std::function<http::Response(const Call&)>;
using AsyncHandler = std::function<http::asio::awaitable<http::Response>(Call)>;
using Handler = std::variant<SyncHandler, AsyncHandler>;

// Everything about one operation, said once: dispatch, access checks, validation and the OpenAPI
// document are all made from it.
struct Route {
    http::Method method = http::Method::get;
    std::string path; // `/api/v1/swarms/{swarmId:SwarmId}`; kinds: id, uuid, int, text
    std::string id;   // operationId
    std::string summary;
    std::string tag;
    Access access;
    Handler handler;
    std::vector<QueryParameter> query{};
    std::optional<Content> request{};
    std::vector<Answer> answers{};
    RouteLimits limits{};
    std::string rate_class = "default";
    Idempotency idempotency = Idempotency::refused;
    EntityTag entity_tag = EntityTag::none;
};

} // namespace hive::api
