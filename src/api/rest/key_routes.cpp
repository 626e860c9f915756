#include "api/rest/key_routes.hpp"

#include "api/etag.hpp"
#include "api/page.hpp"
#include "api/rest/schemas.hpp"
#include "kernel/duration.hpp"
#include "store/accounts_tables.hpp"

#include <fmt/format.h>

#include <memory>

namespace hive::rest {
namespace {

using accounts::ApiKey;
using api::Access;
using api::Area;
using api::Call;
using api::Level;
using store::KeyTable;

http::Response minted_response(const accounts::MintedKey& minted, Timestamp now) {
    auto response = api::json_response(to_json(minted, now), 201);
    response.headers.add("Location", "/api/v1/keys/" + minted.record.id);
    return response;
}

accounts::KeyKind kind_for(accounts::Role role) noexcept {
    return role == accounts::Role::bee ? accounts::KeyKind::bee : accounts::KeyKind::human;
}

Result<accounts::KeyKind> kind_named(std::string_view text) {
    for (const auto kind :
         {accounts::KeyKind::bee, accounts::KeyKind::human, accounts::KeyKind::service}) {
        if (accounts::name_of(kind) == text) return kind;
    }
    return fail(Errc::invalid, fmt::format("'{}' is not a kind of key", text));
}

// The body is valid JSON by its schema; these are the rules that a schema cannot say.
Result<accounts::KeyRequest> request_in(const json::object& body) {
    auto role = accounts::parse_role(body.at("role").as_string());
    if (!role) return fail(role.error());
    accounts::KeyRequest request{
        .id = fresh_key_id(),
        .owner = std::string{body.at("owner").as_string()},
        .kind = kind_for(*role),
        .role = *role};
    if (const auto* kind = body.if_contains("kind")) {
        auto parsed = kind_named(kind->as_string());
        if (!parsed) return fail(parsed.error());
        request.kind = *parsed;
    }
    if (const auto* scopes = body.if_contains("scopes")) {
        std::vector<std::string> texts;
        for (const auto& scope : scopes->as_array()) texts.emplace_back(scope.as_string());
        auto parsed = accounts::Scopes::parse(texts);
        if (!parsed) return fail(parsed.error());
        request.scopes = *parsed;
    }
    if (const auto* span = body.if_contains("validFor")) {
        auto parsed = parse_duration(span->as_string());
        if (!parsed) return fail(parsed.error());
        if (*parsed <= Duration::zero()) return fail(Errc::invalid, "validFor must be positive");
        request.valid_for = *parsed;
    }
    return request;
}

// When a key was last used is no change that anybody has to have seen.
std::string tag_of(ApiKey key, Timestamp now) {
    key.last_used.reset();
    return api::etag_of_content(to_text(to_json(key, now)));
}

http::Response shown(const ApiKey& key, Timestamp now) {
    http::Response response = api::json_response(to_json(key, now));
    response.headers.add("ETag", tag_of(key, now));
    return response;
}

// None when there is no such key either, which the change itself finds out.
std::optional<http::Response> changed_meanwhile(
    Change& change, const HiveId& hive, const std::string& id, const api::Precondition& seen) {
    const auto key = find_key(change.session(), hive, id);
    if (!key) return std::nullopt;
    const auto problem = seen.check(tag_of(*key, change.now()));
    if (!problem) return std::nullopt;
    return change.refuse(*problem);
}

class KeyDesk {
public:
    explicit KeyDesk(KeyParts parts)
        : parts_{parts}, hive_{parts.transactions.chronicle().hive()} {}

    asio::awaitable<http::Response> list(Call call) const {
        accounts::KeyQuery query{.limit = static_cast<std::size_t>(*call.integer("limit"))};
        std::string listing = "keys";
        if (const auto owner = call.text("owner")) {
            query.owner = std::string{*owner};
            listing += "?owner=" + *query.owner;
        }
        if (const auto cursor = call.text("cursor")) {
            auto position = parts_.cursors.decode(listing, *cursor);
            if (!position) co_return call.fail(position.error());
            query.after = *position;
        }
        const Timestamp now = parts_.transactions.clock().wall();
        co_return co_await parts_.transactions.read(
            call,
            [query, listing, now, hive = hive_, cursors = &parts_.cursors,
             following =
                 api::NextPage{call.request()}](store::Session& session) -> Result<http::Response> {
                auto keys = KeyTable{session, hive}.list(query);
                if (!keys) return fail(keys.error());
                json::array items;
                for (const ApiKey& key : *keys) items.push_back(to_json(key, now));
                return following.page(
                    std::move(items), keys->size() == query.limit
                                          ? cursors->encode(listing, keys->back().id)
                                          : std::string{});
            });
    }

    asio::awaitable<http::Response> show(Call call) const {
        const Timestamp now = parts_.transactions.clock().wall();
        co_return co_await parts_.transactions.read(
            call,
            [id = std::string{call.path("keyId")}, now,
             hive = hive_](store::Session& session) -> Result<http::Response> {
                auto key = find_key(session, hive, id);
                if (!key) return fail(key.error());
                return shown(*key, now);
            });
    }

    asio::awaitable<http::Response> mint(Call call) const {
        auto request = request_in(call.body().as_object());
        if (!request) co_return call.fail(request.error());
        // Nobody hands out more than they have.
        const auto wanted = request->scopes.value_or(accounts::Scopes::of(request->role));
        if (!call.principal()->scopes.includes(wanted)) {
            co_return call.fail(
                Error{Errc::denied, "a key cannot be given scopes that its maker does not have"});
        }
        co_return co_await parts_.transactions.change(
            call, [request = *request, hive = hive_](Change& change) -> Result<http::Response> {
                auto minted = mint_and_record(change, hive, request);
                if (!minted) return fail(minted.error());
                return minted_response(*minted, change.now());
            });
    }

    asio::awaitable<http::Response> rotate(Call call) const {
        auto response = co_await parts_.transactions.change(
            call,
            [id = std::string{call.path("keyId")}, seen = api::Precondition{call.request()},
             hive = hive_](Change& change) -> Result<http::Response> {
                if (auto refused = changed_meanwhile(change, hive, id, seen)) return *refused;
                auto fresh = rotate_and_record(change, hive, id);
                if (!fresh) return fail(fresh.error());
                return minted_response(*fresh, change.now());
            });
        // The old key now ends with the overlap: what is believed about it has the old end.
        parts_.gatekeeper.forget_key(call.path("keyId"));
        co_return response;
    }

    asio::awaitable<http::Response> revoke(Call call) const {
        auto response = co_await parts_.transactions.change(
            call,
            [id = std::string{call.path("keyId")}, seen = api::Precondition{call.request()},
             hive = hive_](Change& change) -> Result<http::Response> {
                if (auto refused = changed_meanwhile(change, hive, id, seen)) return *refused;
                auto revoked = revoke_and_record(change, hive, id);
                if (!revoked) return fail(revoked.error());
                return shown(*revoked, change.now());
            });
        if (response.status == 200) parts_.gatekeeper.end_key(std::string{call.path("keyId")});
        co_return response;
    }

private:
    KeyParts parts_;
    HiveId hive_;
};

const json::object example_key{
    {"id", "key-4f1c9a2e77d0"},
    {"owner", "BOT-003"},
    {"kind", "bee"},
    {"role", "bee"},
    {"scopes", {"tasks:write", "channels:write"}},
    {"shown", "hvb_Ab3…x9Yz"},
    {"state", "active"},
    {"created", "2026-01-05T10:00:00Z"}};

api::Content key_content() {
    return {.schema = ref("Key"), .example = example_key};
}

using Routes = std::vector<api::Route>;
using Desk = std::shared_ptr<const KeyDesk>;

void add_reading_routes(Routes& routes, const Desk& desk) {
    routes.push_back(
        {.path = "/api/v1/keys",
         .id = "listKeys",
         .summary = "API keys, without their secrets",
         .tag = "keys",
         .access = Access::needs(Area::keys, Level::read),
         .handler = api::AsyncHandler{[desk](Call call) { return desk->list(call); }},
         .query =
             {{.name = "owner", .description = "only keys of this bee, person or service"},
              {.name = "limit",
               .kind = api::ParameterKind::integer,
               .range = {1, 1000},
               .fallback = std::int64_t{100}},
              {.name = "cursor", .description = "`next` of the page before", .range = {1, 512}}},
         .answers = {
             {200, "A page",
              api::Content{
                  .schema = list_of("Key"), .example = {{"items", json::array{example_key}}}}}}});
    routes.push_back(
        {.path = "/api/v1/keys/{keyId:id}",
         .id = "getKey",
         .summary = "One key",
         .tag = "keys",
         .access = Access::needs(Area::keys, Level::read),
         .handler = api::AsyncHandler{[desk](Call call) { return desk->show(call); }},
         .answers = {{200, "The key", key_content()}},
         .entity_tag = api::EntityTag::sent});
}

void add_changing_routes(Routes& routes, const Desk& desk) {
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/keys",
         .id = "createKey",
         .summary = "A new key; its text is in this answer and nowhere else",
         .tag = "keys",
         .access = Access::needs(Area::keys, Level::write),
         .handler = api::AsyncHandler{[desk](Call call) { return desk->mint(call); }},
         .request =
             api::Content{
                 .schema = ref("KeyRequest"),
                 .example = {{"owner", "BOT-003"}, {"role", "bee"}, {"validFor", "90d"}}},
         .answers = {{201, "Minted", minted_content()}}});
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/keys/{keyId:id}/rotate",
         .id = "rotateKey",
         .summary = "A successor; the old key works for another 24 hours",
         .tag = "keys",
         .access = Access::needs(Area::keys, Level::write),
         .handler = api::AsyncHandler{[desk](Call call) { return desk->rotate(call); }},
         .answers = {{201, "The successor", minted_content()}},
         .entity_tag = api::EntityTag::matched});
    routes.push_back(
        {.method = http::Method::remove,
         .path = "/api/v1/keys/{keyId:id}",
         .id = "revokeKey",
         .summary = "Ends a key at once",
         .tag = "keys",
         .access = Access::needs(Area::keys, Level::write),
         .handler = api::AsyncHandler{[desk](Call call) { return desk->revoke(call); }},
         .answers = {{200, "The key as it is now", key_content()}},
         .idempotency = api::Idempotency::accepted,
         .entity_tag = api::EntityTag::matched});
}

} // namespace

api::Content minted_content() {
    return {
        .schema = ref("MintedKey"),
        .example = {{"key", "shown once, here"}, {"record", example_key}}};
}

api::SnapshotSource key_snapshot(Transactions& transactions) {
    const auto read = [&transactions](const api::Identity&) {
        const HiveId hive = transactions.chronicle().hive();
        const Timestamp now = transactions.clock().wall();
        return transactions.snapshot([hive, now](store::Session& session) -> Result<std::string> {
            auto keys = KeyTable{session, hive}.list({.limit = 1000});
            if (!keys) return fail(keys.error());
            json::array items;
            for (const ApiKey& key : *keys) items.push_back(to_json(key, now));
            return to_text(items);
        });
    };
    return {"key", read};
}

std::vector<api::Route> key_routes(KeyParts parts) {
    const auto desk = std::make_shared<const KeyDesk>(parts);
    Routes routes;
    add_reading_routes(routes, desk);
    add_changing_routes(routes, desk);
    return routes;
}

} // namespace hive::rest
