#include "api/colony/approval_routes.hpp"
#include "api/rest/schemas.hpp"
#include "colony/approvals/deciding.hpp"

namespace hive::rest {
namespace {

using namespace colony::approvals;

json::object described(json::object schema, std::string_view what) {
    schema["description"] = what;
    return schema;
}
json::object words(std::size_t most = 50) {
    return {{"type", "array"}, {"items", text_schema(200)}, {"maxItems", most}};
}
json::object bounded(std::int64_t min, std::int64_t max) {
    return {{"type", "integer"}, {"minimum", min}, {"maximum", max}};
}
json::object true_or_false() {
    return {{"type", "boolean"}};
}
json::object span() {
    return described(text_schema(40), "`250ms`, `5s`, `2m`, `1h`, or ISO 8601");
}
json::object role() {
    return words_schema({"admin", "human", "bee", "readonly"});
}
json::object roles() {
    return {{"type", "array"}, {"items", role()}, {"maxItems", 4}};
}
json::object verdict() {
    return words_schema({"approve", "deny"});
}
json::object list(json::object items, std::size_t most) {
    return {{"type", "array"}, {"items", std::move(items)}, {"maxItems", most}};
}

json::object stage() {
    return closed_object(
        {{"roles?", described(roles(), "everyone with one of these roles decides")},
         {"people?", described(words(), "and these, whatever their role")},
         {"quorum?", described(bounded(1, quorum_max), "so many have to agree")},
         {"within?", described(span(), "then the next stage decides; after the last: denied")}});
}

json::object match() {
    return closed_object(
        {{"acts",
          described(
              words(), "such as `task.complete`, `task.*`, `channel.post`, `swarm.start`; `*` "
                       "stands for any text, here and in the other patterns")},
         {"tags?", described(words(), "of the task or message: all of these")},
         {"priority?", described(bounded(0, 4), "of the task: this or more urgent")},
         {"tasks?", described(words(), "patterns of refs")},
         {"channels?", described(words(), "patterns of names")},
         {"swarms?", described(words(), "patterns of ids")},
         {"from?", described(roles(), "only when somebody with one of these roles acts")}});
}

json::object evidence() {
    return closed_object(
        {{"kind", words_schema({"link", "text", "json"})},
         {"title?", text_schema()},
         {"value", described({}, "a string for links and texts")}});
}

json::object rule_schema() {
    return closed_object(
        {{"id", text_schema()},
         {"name", text_schema(100)},
         {"rank", bounded(0, 1'000'000)},
         {"enabled", true_or_false()},
         {"effect", words_schema({"ask", "allow", "deny"})},
         {"match", match()},
         {"stages?", list(stage(), stages_max)},
         {"createdBy", text_schema()},
         {"createdAt", time_schema()},
         {"changedAt", time_schema()},
         {"revision", integer_schema(1)}});
}

json::object new_rule_schema() {
    return closed_object(
        {{"name", text_schema(100)},
         {"rank?", described(bounded(0, 1'000'000), "the lowest that matches decides; 100")},
         {"enabled?", true_or_false()},
         {"effect?", words_schema({"ask", "allow", "deny"})},
         {"match", match()},
         {"stages?", list(stage(), stages_max)}});
}

json::object approval_schema() {
    return closed_object(
        {{"id", text_schema()},
         {"state", words_schema({"open", "approved", "denied", "timed_out", "withdrawn"})},
         {"subject", text_schema(500)},
         {"act", closed_object(
                     {{"what", text_schema()},
                      {"entityType", text_schema()},
                      {"entityId", text_schema()},
                      {"facts?", {{"type", "object"}}}})},
         {"requester", closed_object({{"id", text_schema()}, {"role", role()}})},
         {"rule?", text_schema()},
         {"ruleName?", text_schema(100)},
         {"createdAt", time_schema()},
         {"revision", integer_schema(1)},
         {"stages", list(stage(), stages_max)},
         {"stage", described(integer_schema(), "which of them decides now, from 0")},
         {"stageEnds", time_schema()},
         {"votes", list(
                       closed_object(
                           {{"who", text_schema()},
                            {"verdict", verdict()},
                            {"comment?", text_schema(4000)},
                            {"at", time_schema()},
                            {"stage", integer_schema()},
                            {"via", words_schema({"api", "link"})}}),
                       1000)},
         {"evidence", list(evidence(), evidence_max)},
         {"endedAt?", time_schema()},
         {"endedBy?", text_schema()},
         {"reason?", text_schema(4000)},
         {"overridden?", true_or_false()},
         {"carry", described(
                       words_schema({"nothing", "pending", "done", "refused"}),
                       "what became of the act; pending: it is on its way")},
         {"carryNote?", text_schema(4000)},
         {"mayDecide?", described(true_or_false(), "whether whoever asked may decide it now")}});
}

} // namespace

void add_approval_schemas(json::object& schemas) {
    schemas["Approval"] = approval_schema();
    schemas["ApprovalRule"] = rule_schema();
    schemas["NewApprovalRule"] = new_rule_schema();
    schemas["ApprovalQuestion"] = closed_object(
        {{"subject", text_schema(500)},
         {"about?", described(text_schema(), "the id of a task or another thing")},
         {"evidence?", list(evidence(), evidence_max)},
         {"people?", described(words(), "who decides; without it every person")},
         {"quorum?", bounded(1, quorum_max)},
         {"within?", span()}});
    schemas["ApprovalEvidence"] = closed_object({{"evidence", list(evidence(), evidence_max)}});
    schemas["ApprovalDecision"] =
        closed_object({{"verdict", verdict()}, {"comment?", text_schema(4000)}});
    schemas["ApprovalOverride"] =
        closed_object({{"verdict", verdict()}, {"reason", text_schema(4000)}});
    schemas["ApprovalReason"] = closed_object({{"reason?", text_schema(4000)}});
    schemas["ApprovalLinkWish"] = closed_object(
        {{"person?", described(text_schema(), "for another; admins only")},
         {"validFor?", described(span(), "1h unless said; at most 7 days")}});
    schemas["ApprovalLink"] = closed_object(
        {{"url", text_schema(2048)}, {"person", text_schema()}, {"expires", time_schema()}});
}

json::object example_approval() {
    return {
        {"id", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a14"},
        {"state", "open"},
        {"subject", "swarm.start alpha"},
        {"act",
         {{"what", "swarm.start"},
          {"entityType", "swarm"},
          {"entityId", "alpha"},
          {"facts", {{"swarm", "alpha"}}}}},
        {"requester", {{"id", "bob"}, {"role", "human"}}},
        {"ruleName", "starts in production"},
        {"createdAt", "2026-01-05T10:00:00Z"},
        {"revision", 1},
        {"stages", {{{"roles", {"human"}}, {"quorum", 1}, {"within", "1h"}}}},
        {"stage", 0},
        {"stageEnds", "2026-01-05T11:00:00Z"},
        {"votes", json::array{}},
        {"evidence", json::array{}},
        {"carry", "nothing"},
        {"mayDecide", true}};
}

json::object example_rule() {
    return {
        {"id", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a15"},
        {"name", "starts in production"},
        {"rank", 100},
        {"enabled", true},
        {"effect", "ask"},
        {"match", {{"acts", {"swarm.start"}}, {"swarms", {"prod-*"}}}},
        {"stages", {{{"roles", {"human"}}, {"quorum", 1}, {"within", "1h"}}}},
        {"createdBy", "root"},
        {"createdAt", "2026-01-05T10:00:00Z"},
        {"changedAt", "2026-01-05T10:00:00Z"},
        {"revision", 1}};
}

} // namespace hive::rest
