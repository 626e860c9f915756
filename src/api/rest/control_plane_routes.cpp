// Statuses of everyone, and the documents that say what is on the wire.
#include "api/rest/schemas.hpp"
#include "api/rest/spec_documents.hpp"
#include "api/rest/swarm_route_groups.hpp"

#include <fmt/format.h>

namespace hive::rest {
namespace {

using api::Access;
using api::Area;
using api::Call;
using api::Level;

http::Response refresh(const Commands& commands, const Call&) {
    const wire::Scope everyone{.role = wire::controller_role()};
    commands->court().request_status(everyone);
    return api::json_response(json::object{{"target", to_text(everyone)}}, 202);
}

http::Response document(const Call& call) {
    const std::string_view name = call.path("name");
    std::string known;
    for (const SpecDocument& one : spec_documents()) {
        if (one.name == name) {
            return {.status = 200, .content_type = one.content_type, .body = one.text};
        }
        known += fmt::format("{}{}", known.empty() ? "" : ", ", one.name);
    }
    return call.fail(Error{
        Errc::not_found, fmt::format("there is no document '{}'; there are {}", name, known)});
}

} // namespace

void add_control_plane_routes(Routes& routes, const Commands& commands) {
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/control-plane/refresh",
         .id = "refreshControlPlane",
         .summary = "Asks every swarm controller for a full status",
         .tag = "control-plane",
         .access = Access::needs(Area::swarms, Level::write),
         .handler =
             api::SyncHandler{[commands](const Call& call) { return refresh(commands, call); }},
         .answers =
             {{202, "Asked for",
               api::Content{
                   .schema = closed_object({{"target", text_schema()}}),
                   .example = {{"target", "ALL.swarm-controller.ALL"}}}}},
         .idempotency = api::Idempotency::ignored});
    routes.push_back(
        {.path = "/api/v1/control-plane/schema/{name:text}",
         .id = "getControlPlaneSchema",
         .summary = "A JSON Schema or the AsyncAPI document of what is on the wire",
         .tag = "control-plane",
         .access = Access::needs(Area::swarms, Level::read),
         .handler = api::SyncHandler{document},
         .answers = {
             {200, "The document",
              api::Content{.schema = {{"type", "object"}}, .example = json::object{}}}}});
}

} // namespace hive::rest
