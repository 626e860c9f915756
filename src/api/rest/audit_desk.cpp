#include "api/rest/audit_desk.hpp"

#include "api/http/await_callback.hpp"
#include "api/page.hpp"
#include "audit/entry_json.hpp"
#include "audit/export.hpp"
#include "audit/ledger_verifier.hpp"
#include "audit/proof.hpp"
#include "audit/report_json.hpp"
#include "kernel/encoding.hpp"
#include "kernel/timestamp.hpp"
#include "store/audit_ledger.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <memory>

namespace hive::rest {
namespace {

using api::Call;
using audit::SignedCheckpoint;
using store::AuditLedger;

constexpr Duration patience = std::chrono::seconds{15};
constexpr Duration verify_within = std::chrono::minutes{5};

json::object to_json(const SignedCheckpoint& checkpoint) {
    return {
        {"size", checkpoint.checkpoint.size},
        {"root", to_hex(checkpoint.checkpoint.root)},
        {"time", format_timestamp(checkpoint.checkpoint.time)},
        {"note", checkpoint.note}};
}

json::array to_json(const std::vector<Digest>& path) {
    json::array out;
    for (const Digest& hash : path) out.emplace_back(to_hex(hash));
    return out;
}

// Entries are written by the function that exports use: one spelling everywhere.
http::Response
page_response(const audit::Page& page, const std::string& next, const api::NextPage& following) {
    std::string body = R"({"items":[)";
    for (const audit::Entry& entry : page.entries) {
        if (body.back() != '[') body += ',';
        audit::append_json(body, audit::view_of(entry));
    }
    body += ']';
    if (!next.empty()) {
        body += R"(,"next":)";
        append_json_string(body, next);
    }
    body += '}';
    http::Response response{.content_type = api::json_type, .body = std::move(body)};
    if (!next.empty()) following.link(response, next);
    return response;
}

struct Filter {
    audit::Query query{};
    std::string listing = "audit"; // names the search, so that cursors cannot be mixed up
};

Status read_times(const Call& call, audit::Query& query) {
    for (auto [name, field] :
         {std::pair{"since", &query.since}, std::pair{"until", &query.until}}) {
        const auto text = call.text(name);
        if (!text) continue;
        auto time = parse_timestamp(*text);
        if (!time) return fail(Errc::invalid, fmt::format("{}: {}", name, time.error().detail));
        *field = *time;
    }
    return {};
}

Result<Filter> filter_of(const Call& call, const api::CursorCodec& cursors) {
    Filter filter;
    audit::Query& query = filter.query;
    query.limit = static_cast<std::size_t>(*call.integer("limit"));
    for (auto [name, field] :
         {std::pair{"actor", &query.actor}, std::pair{"action", &query.action},
          std::pair{"entityType", &query.entity_type}, std::pair{"entityId", &query.entity_id}}) {
        if (const auto text = call.text(name)) *field = std::string{*text};
    }
    if (auto ok = read_times(call, query); !ok) return fail(ok.error());
    for (const auto name : {"actor", "action", "entityType", "entityId", "since", "until"}) {
        filter.listing += fmt::format("&{}={}", name, call.text(name).value_or(""));
    }
    if (const auto cursor = call.text("cursor")) {
        auto position = cursors.decode(filter.listing, *cursor);
        if (!position) return fail(position.error());
        std::uint64_t before = 0;
        std::from_chars(position->data(), position->data() + position->size(), before);
        query.before = before;
    }
    return filter;
}

Result<std::uint64_t> sequence_of(const Call& call) {
    const auto text = call.path("sequence");
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value == 0) {
        return fail(Errc::invalid, "sequence must be a whole number from 1");
    }
    return value;
}

Result<std::uint64_t> size_or_head(const AuditLedger& ledger, std::optional<std::int64_t> size) {
    if (size) return static_cast<std::uint64_t>(*size);
    auto head = ledger.head();
    if (!head) return fail(head.error());
    return head->size();
}

asio::awaitable<void>
send_export(AuditParts parts, HiveId hive, SignedCheckpoint closing, http::Stream* stream) {
    auto writer = std::make_shared<audit::ExportWriter>(std::move(closing));
    for (;;) {
        auto piece = std::make_shared<std::string>();
        const auto status = co_await http::await_callback<Status>(
            [&](const std::function<void(Status)>& done) {
                auto taken = parts.transactions.chronicle().database().read(
                    {.work = [piece, writer, hive](store::Session& session) -> Status {
                        auto next = writer->next(AuditLedger{session, hive});
                        if (!next) return fail(next.error());
                        *piece = std::move(*next);
                        return {};
                    }},
                    done);
                if (!taken) done(taken);
            },
            patience);
        // A stream that ends early is found by whoever verifies it: the header says what must
        // come.
        if (!status || !*status || piece->empty()) co_return;
        const std::array buffers{asio::const_buffer{asio::buffer(*piece)}};
        if (co_await stream->write(buffers)) co_return;
    }
}

} // namespace

AuditDesk::Later AuditDesk::search(Call call) const {
    auto filter = filter_of(call, parts_.cursors);
    if (!filter) co_return call.fail(filter.error());
    co_return co_await parts_.transactions.read(
        call,
        [filter = *filter, hive = hive_, cursors = &parts_.cursors,
         following =
             api::NextPage{call.request()}](store::Session& session) -> Result<http::Response> {
            auto page = AuditLedger{session, hive}.search(filter.query);
            if (!page) return fail(page.error());
            return page_response(
                *page,
                page->next ? cursors->encode(filter.listing, std::to_string(*page->next))
                           : std::string{},
                following);
        });
}

AuditDesk::Later AuditDesk::entry(Call call) const {
    auto sequence = sequence_of(call);
    if (!sequence) co_return call.fail(sequence.error());
    co_return co_await parts_.transactions.read(
        call,
        [sequence = *sequence, hive = hive_](store::Session& session) -> Result<http::Response> {
            auto found = AuditLedger{session, hive}.read(sequence, 1);
            if (!found) return fail(found.error());
            if (found->empty()) {
                return fail(Errc::not_found, fmt::format("there is no entry {}", sequence));
            }
            std::string body;
            audit::append_json(body, audit::view_of(found->front()));
            return http::Response{.content_type = api::json_type, .body = std::move(body)};
        });
}

AuditDesk::Later AuditDesk::erase(Call call) const {
    auto sequence = sequence_of(call);
    if (!sequence) co_return call.fail(sequence.error());
    co_return co_await parts_.transactions.change(
        call, [sequence = *sequence, hive = hive_](Change& change) -> Result<http::Response> {
            if (auto ok = AuditLedger{change.session(), hive}.erase_details(sequence); !ok) {
                return fail(ok.error());
            }
            auto ok = change.record(
                {.action = "audit.details-erased",
                 .entity_type = "audit",
                 .entity_id = std::to_string(sequence)});
            if (!ok) return fail(ok.error());
            return http::Response{.status = 204};
        });
}

AuditDesk::Later AuditDesk::inclusion(Call call) const {
    const auto sequence = static_cast<std::uint64_t>(*call.integer("sequence"));
    const auto size = call.integer("size");
    co_return co_await parts_.transactions.read(
        call, [=, hive = hive_](store::Session& session) -> Result<http::Response> {
            const AuditLedger ledger{session, hive};
            auto at = size_or_head(ledger, size);
            if (!at) return fail(at.error());
            auto proof = audit::prove_inclusion(ledger, sequence - 1, *at);
            if (!proof) return fail(proof.error());
            auto root = audit::root_at(ledger, *at);
            if (!root) return fail(root.error());
            auto leaf = ledger.node(0, sequence - 1);
            if (!leaf) return fail(leaf.error());
            return api::json_response(
                {{"index", proof->index},
                 {"size", proof->size},
                 {"leaf", to_hex(*leaf)},
                 {"root", to_hex(*root)},
                 {"path", to_json(proof->path)}});
        });
}

AuditDesk::Later AuditDesk::consistency(Call call) const {
    const auto from = static_cast<std::uint64_t>(*call.integer("from"));
    const auto size = call.integer("size");
    co_return co_await parts_.transactions.read(
        call, [=, hive = hive_](store::Session& session) -> Result<http::Response> {
            const AuditLedger ledger{session, hive};
            auto at = size_or_head(ledger, size);
            if (!at) return fail(at.error());
            auto proof = audit::prove_consistency(ledger, from, *at);
            if (!proof) return fail(proof.error());
            auto old_root = audit::root_at(ledger, from);
            if (!old_root) return fail(old_root.error());
            auto root = audit::root_at(ledger, *at);
            if (!root) return fail(root.error());
            return api::json_response(
                {{"from", proof->old_size},
                 {"size", proof->new_size},
                 {"oldRoot", to_hex(*old_root)},
                 {"root", to_hex(*root)},
                 {"path", to_json(proof->path)}});
        });
}

AuditDesk::Later AuditDesk::latest_checkpoint(Call call) const {
    co_return co_await parts_.transactions.read(
        call, [hive = hive_](store::Session& session) -> Result<http::Response> {
            auto latest = AuditLedger{session, hive}.latest_checkpoint();
            if (!latest) return fail(latest.error());
            if (!*latest) return fail(Errc::not_found, "nothing was signed yet");
            return api::json_response(to_json(**latest));
        });
}

AuditDesk::Later AuditDesk::checkpoint(Call call) const {
    // First: what is signed then holds who asked for it.
    auto recorded =
        co_await parts_.transactions.change(call, [](Change& change) -> Result<http::Response> {
            auto ok = change.record(
                {.action = "audit.checkpoint-asked", .entity_type = "checkpoint", .entity_id = {}});
            if (!ok) return fail(ok.error());
            return http::Response{.status = 201};
        });
    if (recorded.status != 201) co_return recorded;
    auto signed_one = co_await sign_now();
    if (!signed_one) co_return call.fail(signed_one.error());
    co_return api::json_response(to_json(*signed_one), 201);
}

AuditDesk::Later AuditDesk::verify(Call call) const {
    auto report = std::make_shared<Result<audit::Report>>(fail(Errc::timeout, "not run"));
    const auto status = co_await http::await_callback<Status>(
        [&](const std::function<void(Status)>& done) {
            auto taken = parts_.transactions.chronicle().database().read(
                {.work = [report, hive = hive_,
                          trusted = trusted_](store::Session& session) -> Status {
                     *report = audit::verify_ledger(AuditLedger{session, hive}, {trusted});
                     return report->has_value() ? Status{} : fail(report->error());
                 },
                 .within = verify_within},
                done);
            if (!taken) done(taken);
        },
        verify_within + patience);
    if (!status) {
        co_return call.fail(Error{Errc::timeout, "verifying took too long; verify an export"});
    }
    if (!*status) co_return call.fail(status->error());
    co_return api::json_response(to_json(**report));
}

AuditDesk::Later AuditDesk::export_all(Call call) const {
    auto closing = co_await sign_now();
    if (!closing) co_return call.fail(closing.error());
    http::Response response{.content_type = "application/jsonl"};
    response.headers.add("Content-Disposition", "attachment; filename=\"audit.jsonl\"");
    response.takeover = [parts = parts_, hive = hive_, closing = *closing](http::Stream* stream) {
        return send_export(parts, hive, closing, stream);
    };
    co_return response;
}

http::Response AuditDesk::public_key() const {
    return {.content_type = "text/plain; charset=utf-8", .body = trusted_.text() + "\n"};
}

asio::awaitable<Result<SignedCheckpoint>> AuditDesk::sign_now() const {
    using Signed = Result<std::optional<SignedCheckpoint>>;
    auto fresh = co_await http::await_callback<Signed>(
        [&](const std::function<void(Signed)>& done) {
            auto taken = make_checkpoint(parts_, done);
            if (!taken) done(fail(taken.error()));
        },
        patience);
    if (!fresh) co_return fail(Errc::timeout, "the store did not answer in time");
    if (!*fresh) co_return fail(fresh->error());
    if (**fresh) co_return std::move(***fresh);
    auto found = std::make_shared<std::optional<SignedCheckpoint>>();
    const auto status = co_await http::await_callback<Status>(
        [&](const std::function<void(Status)>& done) {
            auto taken = parts_.transactions.chronicle().database().read(
                {.work = [found, hive = hive_](store::Session& session) -> Status {
                    auto latest = AuditLedger{session, hive}.latest_checkpoint();
                    if (!latest) return fail(latest.error());
                    *found = std::move(*latest);
                    return {};
                }},
                done);
            if (!taken) done(taken);
        },
        patience);
    if (!status) co_return fail(Errc::timeout, "the store did not answer in time");
    if (!*status) co_return fail(status->error());
    if (!*found) co_return fail(Errc::not_found, "nothing was recorded yet");
    co_return std::move(**found);
}

} // namespace hive::rest
