#include "api/rest/held_answer.hpp"

#include "api/rest/schemas.hpp"

namespace hive::rest {

http::Response held_response(const std::string& approval) {
    const std::string url = "/api/v1/approvals/" + approval;
    auto response = api::json_response(json::object{{"approval", approval}, {"url", url}}, 202);
    response.headers.add("Location", url);
    return response;
}

api::Answer held_answer() {
    return {
        202, "A rule holds it back; it is done when the approval is given",
        api::Content{.schema = ref("ApprovalNeeded"), .example = example_held()}};
}

json::object held_schema() {
    return closed_object({{"approval", text_schema()}, {"url", text_schema()}});
}

json::object example_held() {
    const std::string id = "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a14";
    return {{"approval", id}, {"url", "/api/v1/approvals/" + id}};
}

} // namespace hive::rest
