#include "cli/audit_access.hpp"

#include "kernel/encoding.hpp"
#include "kernel/overloaded.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

// A little longer than the server gives itself.
constexpr Duration verify_patience = std::chrono::seconds{330};

std::string entry_path(std::uint64_t sequence) {
    return fmt::format("/api/v1/audit/entries/{}", sequence);
}

std::string time_of(const std::optional<Timestamp>& time) {
    return time ? format_timestamp(*time) : std::string{};
}

Result<json::object> object_of(Result<json::value> value) {
    if (!value) return fail(value.error());
    return std::move(value->as_object());
}

} // namespace

Result<AuditPage> RemoteAudit::search(const audit::Query& query, const std::string& cursor) {
    auto page = client_.get(
        "/api/v1/audit", {{"actor", query.actor.value_or("")},
                          {"action", query.action.value_or("")},
                          {"entityType", query.entity_type.value_or("")},
                          {"entityId", query.entity_id.value_or("")},
                          {"since", time_of(query.since)},
                          {"until", time_of(query.until)},
                          {"limit", std::to_string(query.limit)},
                          {"cursor", cursor}});
    if (!page) return fail(page.error());
    AuditPage out{.items = std::move(page->at("items").as_array())};
    if (const auto* next = page->as_object().if_contains("next")) out.next = next->as_string();
    return out;
}

Result<json::object> RemoteAudit::show(std::uint64_t sequence) {
    return object_of(client_.get(entry_path(sequence)));
}

Status RemoteAudit::erase(std::uint64_t sequence) {
    auto erased = client_.remove(entry_path(sequence) + "/details");
    return erased ? Status{} : fail(erased.error());
}

Result<json::object> RemoteAudit::checkpoint() {
    return object_of(client_.post("/api/v1/audit/checkpoints"));
}

Result<audit::TrustedKey> RemoteAudit::public_key() {
    auto text = client_.get_text("/api/v1/audit/key");
    if (!text) return fail(text.error());
    if (text->ends_with('\n')) text->pop_back();
    return audit::TrustedKey::parse(*text);
}

Result<json::object> RemoteAudit::verify(const VerifyWish& wish) {
    if (!wish.keys.empty() || !wish.pins.empty()) {
        return fail(
            Errc::invalid,
            "a server verifies with its own key and without pins; to use yours, run 'hive audit "
            "export --output FILE' and verify that file");
    }
    client_.patience = verify_patience;
    return object_of(client_.get("/api/v1/audit/verify"));
}

Status RemoteAudit::export_to(const Sink& sink) {
    return client_.download("/api/v1/audit/export", sink);
}

void declare_audit_reach(OptionTable& table, AuditReach& config) {
    declare_reach_options(table, config.hive);
    table.add_flag("audit-key-file", config.key_file)
        .help("private key that signs checkpoints, with --data or --store; without it audit.key "
              "in the data directory");
}

Result<std::unique_ptr<AuditAccess>> reach_audit(const AuditReach& config, const Call& call) {
    using Access = std::unique_ptr<AuditAccess>;
    auto reached = reach(config.hive, call);
    if (!reached) return fail(reached.error());
    return std::visit(
        overloaded{
            [](ServerClient& client) -> Access {
                return std::make_unique<RemoteAudit>(std::move(client));
            },
            [&](std::unique_ptr<LocalHive>& hive) -> Access {
                return std::make_unique<LocalAudit>(
                    std::move(hive), config.key_file ? config.key_file->text : std::string{});
            }},
        *reached);
}

} // namespace hive::cli
