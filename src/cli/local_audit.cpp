#include "audit/entry_json.hpp"
#include "audit/export.hpp"
#include "audit/ledger_verifier.hpp"
#include "audit/report_json.hpp"
#include "cli/audit_access.hpp"
#include "cli/audit_key_file.hpp"
#include "cli/watched_ledger.hpp"
#include "kernel/encoding.hpp"
#include "kernel/timestamp.hpp"
#include "store/audit_ledger.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <future>

namespace hive::cli {
namespace {

using audit::SignedCheckpoint;
using store::AuditLedger;

// A large log on a slow disk takes its time; a stuck one must still end.
constexpr Duration verify_within = std::chrono::hours{6};

json::object to_json(const SignedCheckpoint& checkpoint) {
    return {
        {"size", checkpoint.checkpoint.size},
        {"root", to_hex(checkpoint.checkpoint.root)},
        {"time", format_timestamp(checkpoint.checkpoint.time)},
        {"note", checkpoint.note}};
}

// By the function that the API and exports use: one spelling everywhere.
Result<json::value> to_json(const audit::Entry& entry) {
    std::string text;
    audit::append_json(text, audit::view_of(entry));
    return parse_json(text);
}

} // namespace

LocalAudit::LocalAudit(std::unique_ptr<LocalHive> hive, std::string key_file)
    : hive_{std::move(hive)}, key_file_{std::move(key_file)} {
    if (key_file_.empty()) key_file_ = hive_->place().store.data + "/audit.key";
}

Result<AuditPage> LocalAudit::search(const audit::Query& query, const std::string& cursor) {
    audit::Query wanted = query;
    if (!cursor.empty()) {
        std::uint64_t before = 0;
        std::from_chars(cursor.data(), cursor.data() + cursor.size(), before);
        wanted.before = before;
    }
    auto page = store::read_for(hive_->database(), [&](store::Session& session) {
        return AuditLedger{session, hive_->hive()}.search(wanted);
    });
    if (!page) return fail(page.error());
    AuditPage out;
    for (const audit::Entry& entry : page->entries) {
        auto item = to_json(entry);
        if (!item) return fail(item.error());
        out.items.push_back(std::move(*item));
    }
    if (page->next) out.next = std::to_string(*page->next);
    return out;
}

Result<json::object> LocalAudit::show(std::uint64_t sequence) {
    auto found = store::read_for(hive_->database(), [&](store::Session& session) {
        return AuditLedger{session, hive_->hive()}.read(sequence, 1);
    });
    if (!found) return fail(found.error());
    if (found->empty() || found->front().sequence != sequence) {
        return fail(Errc::not_found, fmt::format("there is no entry {}", sequence));
    }
    auto entry = to_json(found->front());
    if (!entry) return fail(entry.error());
    return std::move(entry->as_object());
}

Status LocalAudit::erase(std::uint64_t sequence) {
    return hive_->change([sequence, hive = hive_->hive()](rest::Change& change) -> Status {
        if (auto ok = AuditLedger{change.session(), hive}.erase_details(sequence); !ok) return ok;
        return change.record(
            {.action = "audit.details-erased",
             .entity_type = "audit",
             .entity_id = std::to_string(sequence)});
    });
}

Result<std::optional<SignedCheckpoint>> LocalAudit::latest_checkpoint() {
    // One answer inside another: the outer says whether the store could be read.
    std::optional<SignedCheckpoint> latest;
    auto read =
        store::read_and_wait(hive_->database(), {.work = [&](store::Session& session) -> Status {
                                 auto found =
                                     AuditLedger{session, hive_->hive()}.latest_checkpoint();
                                 if (!found) return fail(found.error());
                                 latest = std::move(*found);
                                 return {};
                             }});
    if (!read) return fail(read.error());
    return latest;
}

Result<rest::AuditKey> LocalAudit::signing_key() {
    namespace fs = std::filesystem;
    std::error_code error;
    if (!fs::exists(key_file_, error)) {
        auto latest = latest_checkpoint();
        if (!latest) return fail(latest.error());
        const bool can_be_made = !*latest && fs::is_directory(hive_->place().store.data, error);
        if (!can_be_made) {
            return fail(
                Errc::not_found,
                fmt::format(
                    "the signing key {} is not there; name it with --audit-key-file FILE",
                    key_file_));
        }
    }
    return load_or_make_audit_key(key_file_, hive_->hive());
}

Result<SignedCheckpoint> LocalAudit::sign_now() {
    auto key = signing_key();
    if (!key) return fail(key.error());
    using Signed = Result<std::optional<SignedCheckpoint>>;
    // Shared: the callback may still be returning from set_value() when get() has returned.
    auto done = std::make_shared<std::promise<Signed>>();
    auto made = done->get_future();
    auto taken = hive_->chronicle().checkpoint(
        {.origin = key->origin,
         .now = hive_->clock().wall(),
         .sign =
             [&](const audit::Checkpoint& checkpoint) {
                 return audit::sign(checkpoint, key->signing);
             }},
        [done](Signed result) { done->set_value(std::move(result)); });
    if (!taken) return fail(taken.error());
    auto fresh = made.get();
    if (!fresh) return fail(fresh.error());
    if (*fresh) return std::move(**fresh);
    auto latest = latest_checkpoint();
    if (!latest) return fail(latest.error());
    if (!*latest) return fail(Errc::not_found, "nothing was recorded yet");
    return std::move(**latest);
}

Result<json::object> LocalAudit::checkpoint() {
    auto signed_one = sign_now();
    if (!signed_one) return fail(signed_one.error());
    return to_json(*signed_one);
}

Result<audit::TrustedKey> LocalAudit::public_key() {
    auto key = signing_key();
    if (!key) return fail(key.error());
    return key->trusted();
}

Result<json::object> LocalAudit::verify(const VerifyWish& wish) {
    auto keys = wish.keys;
    if (keys.empty()) {
        auto own = public_key();
        if (!own) return fail(own.error());
        keys.push_back(std::move(*own));
    }
    auto report = store::read_for(
        hive_->database(),
        [&](store::Session& session) {
            AuditLedger ledger{session, hive_->hive()};
            return audit::verify_ledger(WatchedLedger{ledger, wish.progress}, keys, wish.pins);
        },
        verify_within);
    if (!report) return fail(report.error());
    return audit::to_json(*report);
}

Status LocalAudit::export_to(const Sink& sink) {
    auto closing = sign_now();
    if (!closing) return fail(closing.error());
    audit::ExportWriter writer{std::move(*closing)};
    audit::ExportWriter attempt = writer;
    for (;;) {
        auto piece = store::read_for(hive_->database(), [&](store::Session& session) {
            attempt = writer; // a unit may run more than once
            return attempt.next(AuditLedger{session, hive_->hive()});
        });
        if (!piece) return fail(piece.error());
        writer = attempt;
        if (piece->empty()) return {};
        if (auto ok = sink(*piece); !ok) return ok;
    }
}

} // namespace hive::cli
