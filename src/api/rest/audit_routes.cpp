#include "api/rest/audit_routes.hpp"

#include "api/rest/audit_desk.hpp"
#include "api/rest/schemas.hpp"

#include <limits>
#include <memory>
#include <stdexcept>

namespace hive::rest {
namespace {

using api::Access;
using api::Area;
using api::Call;
using api::Level;

constexpr auto most = std::numeric_limits<std::int64_t>::max();

api::QueryParameter number(std::string name, std::string description, bool required) {
    return {
        .name = std::move(name),
        .kind = api::ParameterKind::integer,
        .description = std::move(description),
        .range = {1, most},
        .required = required};
}

constexpr std::string_view example_hash =
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

const json::object example_entry{
    {"sequence", 42},
    {"time", "2026-01-05T10:00:00Z"},
    {"hive", "main"},
    {"actor", "human:alice"},
    {"action", "key.created"},
    {"entityType", "key"},
    {"entityId", "key-4f1c9a2e77d0"},
    {"hash", example_hash}};

api::Content entry_content() {
    return {.schema = ref("AuditEntry"), .example = example_entry};
}

api::Content inclusion_content() {
    return {
        .schema = ref("AuditProof"),
        .example = {
            {"index", 41},
            {"size", 64},
            {"leaf", example_hash},
            {"root", example_hash},
            {"path", json::array{example_hash}}}};
}

api::Content consistency_content() {
    return {
        .schema = ref("AuditProof"),
        .example = {
            {"from", 32},
            {"size", 64},
            {"oldRoot", example_hash},
            {"root", example_hash},
            {"path", json::array{example_hash}}}};
}

api::Content checkpoint_content() {
    return {
        .schema = ref("AuditCheckpoint"),
        .example = {
            {"size", 64},
            {"root", example_hash},
            {"time", "2026-01-05T10:00:00Z"},
            {"note", "pockethive/main\n64\n…"}}};
}

api::Content report_content() {
    return {
        .schema = ref("AuditReport"),
        .example = {
            {"good", true},
            {"entries", 64},
            {"erased", 0},
            {"checkpoints", 3},
            {"covered", 60},
            {"root", example_hash}}};
}

using Routes = std::vector<api::Route>;
using Desk = std::shared_ptr<const AuditDesk>;

api::AsyncHandler handle(const Desk& desk, AuditDesk::Later (AuditDesk::*method)(Call) const) {
    return [desk, method](Call call) { return ((*desk).*method)(call); };
}

Access reading() {
    return Access::needs(Area::audit, Level::read);
}

void add_entry_routes(Routes& routes, const Desk& desk) {
    routes.push_back(
        {.path = "/api/v1/audit",
         .id = "searchAudit",
         .summary = "What happened, newest first: by actor, action, entity and time",
         .tag = "audit",
         .access = reading(),
         .handler = handle(desk, &AuditDesk::search),
         .query =
             {{.name = "actor"},
              {.name = "action"},
              {.name = "entityType"},
              {.name = "entityId"},
              {.name = "since", .description = "RFC 3339, included"},
              {.name = "until", .description = "RFC 3339, not included"},
              {.name = "limit",
               .kind = api::ParameterKind::integer,
               .range = {1, 1000},
               .fallback = std::int64_t{100}},
              {.name = "cursor", .description = "`next` of the page before", .range = {1, 512}}},
         .answers =
             {{200, "A page",
               api::Content{
                   .schema = list_of("AuditEntry"),
                   .example = {{"items", json::array{example_entry}}}}}},
         .rate_class = "audit"});
    routes.push_back(
        {.path = "/api/v1/audit/entries/{sequence:int}",
         .id = "getAuditEntry",
         .summary = "One entry",
         .tag = "audit",
         .access = reading(),
         .handler = handle(desk, &AuditDesk::entry),
         .answers = {{200, "The entry", entry_content()}}});
    routes.push_back(
        {.method = http::Method::remove,
         .path = "/api/v1/audit/entries/{sequence:int}/details",
         .id = "eraseAuditDetails",
         .summary = "Removes the details of an entry for good; every proof stays valid",
         .tag = "audit",
         .access = Access::needs(Area::audit, Level::admin),
         .handler = handle(desk, &AuditDesk::erase),
         .answers = {{204, "Erased", {}}},
         .idempotency = api::Idempotency::accepted});
}

void add_proof_routes(Routes& routes, const Desk& desk) {
    routes.push_back(
        {.path = "/api/v1/audit/proofs/inclusion",
         .id = "proveAuditInclusion",
         .summary = "That an entry is part of the log (RFC 6962)",
         .tag = "audit",
         .access = reading(),
         .handler = handle(desk, &AuditDesk::inclusion),
         .query =
             {number("sequence", "of the entry", true),
              number("size", "of the log; all of it when absent", false)},
         .answers = {{200, "The proof", inclusion_content()}},
         .rate_class = "audit"});
    routes.push_back(
        {.path = "/api/v1/audit/proofs/consistency",
         .id = "proveAuditConsistency",
         .summary = "That the log only grew since it had `from` entries (RFC 6962)",
         .tag = "audit",
         .access = reading(),
         .handler = handle(desk, &AuditDesk::consistency),
         .query =
             {number("from", "size of the older log", true),
              number("size", "of the newer log; all of it when absent", false)},
         .answers = {{200, "The proof", consistency_content()}},
         .rate_class = "audit"});
}

void add_checkpoint_routes(Routes& routes, const Desk& desk) {
    routes.push_back(
        {.path = "/api/v1/audit/checkpoints/latest",
         .id = "getAuditCheckpoint",
         .summary = "The newest signed checkpoint: keep it elsewhere",
         .tag = "audit",
         .access = reading(),
         .handler = handle(desk, &AuditDesk::latest_checkpoint),
         .answers = {{200, "The checkpoint", checkpoint_content()}},
         .rate_class = "audit"});
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/audit/checkpoints",
         .id = "createAuditCheckpoint",
         .summary = "Signs everything recorded so far",
         .tag = "audit",
         .access = reading(),
         .handler = handle(desk, &AuditDesk::checkpoint),
         .answers = {{201, "The checkpoint", checkpoint_content()}},
         .rate_class = "audit"});
    routes.push_back(
        {.path = "/api/v1/audit/key",
         .id = "getAuditKey",
         .summary = "The public key that checkpoints are signed with",
         .tag = "audit",
         .access = Access::open_to_all(),
         .handler = api::SyncHandler{[desk](const Call&) { return desk->public_key(); }},
         .answers = {
             {200, "name+id+key",
              api::Content{
                  .schema = {{"type", "string"}},
                  .example = "pockethive/main+00c0ffee+AS5Q…",
                  .type = "text/plain"}}}});
}

void add_whole_log_routes(Routes& routes, const Desk& desk) {
    routes.push_back(
        {.path = "/api/v1/audit/verify",
         .id = "verifyAudit",
         .summary = "Checks every entry and checkpoint where they are stored",
         .tag = "audit",
         .access = reading(),
         .handler = handle(desk, &AuditDesk::verify),
         .answers = {{200, "What was found", report_content()}},
         .rate_class = "audit"});
    routes.push_back(
        {.path = "/api/v1/audit/export",
         .id = "exportAudit",
         .summary = "The whole log as JSON lines, to be verified anywhere with the public key",
         .tag = "audit",
         .access = reading(),
         .handler = handle(desk, &AuditDesk::export_all),
         .answers =
             {{200, "JSON lines",
               api::Content{
                   .schema = {{"type", "string"}},
                   .example = R"({"format":"hive.audit.export/1",…})",
                   .type = "application/jsonl"}}},
         .rate_class = "audit"});
}

} // namespace

audit::TrustedKey AuditKey::trusted() const {
    auto made = audit::TrustedKey::make(origin, signing.verifying_key());
    if (!made) throw std::logic_error{"the origin was checked when the key was loaded"};
    return *made;
}

Status make_checkpoint(const AuditParts& parts, Checkpointed done) {
    const Timestamp now = parts.transactions.clock().wall();
    const auto tell = [outbox = parts.transactions.outbox(), now](
                          store::Session& session, const audit::SignedCheckpoint& made) -> Status {
        if (outbox == nullptr) return {};
        const json::object data{{"event", "audit.checkpoint"}, {"size", made.checkpoint.size}};
        return outbox->take(session, {"audit.checkpoint", data, now});
    };
    return parts.transactions.chronicle().checkpoint(
        {.origin = parts.key.origin,
         .now = now,
         .sign =
             [key = &parts.key](const audit::Checkpoint& checkpoint) {
                 return audit::sign(checkpoint, key->signing);
             },
         .also = tell},
        std::move(done));
}

std::vector<api::Route> audit_routes(AuditParts parts) {
    const auto desk = std::make_shared<const AuditDesk>(parts);
    Routes routes;
    add_entry_routes(routes, desk);
    add_proof_routes(routes, desk);
    add_checkpoint_routes(routes, desk);
    add_whole_log_routes(routes, desk);
    return routes;
}

} // namespace hive::rest
