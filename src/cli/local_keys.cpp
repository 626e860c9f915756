#include "api/rest/recorded_keys.hpp"
#include "cli/key_access.hpp"
#include "store/accounts_tables.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

using accounts::ApiKey;
using store::KeyTable;

Result<accounts::KeyKind> kind_of(const KeyWish& wish, accounts::Role role) {
    using enum accounts::KeyKind;
    for (const auto kind : {bee, human, service}) {
        if (accounts::name_of(kind) == wish.kind) return kind;
    }
    if (wish.kind.empty()) return role == accounts::Role::bee ? bee : human;
    return fail(Errc::invalid, fmt::format("'{}' is not a kind of key", wish.kind));
}

Result<accounts::KeyRequest> request_of(const KeyWish& wish) {
    auto role = accounts::parse_role(wish.role);
    if (!role) return fail(role.error());
    auto kind = kind_of(wish, *role);
    if (!kind) return fail(kind.error());
    accounts::KeyRequest request{
        .id = rest::fresh_key_id(),
        .owner = wish.owner,
        .kind = *kind,
        .role = *role,
        .valid_for = wish.valid_for};
    if (!wish.scopes.empty()) {
        auto scopes = accounts::Scopes::parse(wish.scopes);
        if (!scopes) return fail(scopes.error());
        request.scopes = *scopes;
    }
    return request;
}

} // namespace

Result<json::object>
LocalKeys::change(std::function<Result<json::object>(rest::Change& change)> work) {
    // Shared: set on a thread of the store.
    auto answer = std::make_shared<json::object>();
    auto done = hive_->change([answer, work = std::move(work)](rest::Change& change) -> Status {
        auto made = work(change);
        if (!made) return fail(made.error());
        *answer = std::move(*made);
        return {};
    });
    if (!done) return fail(done.error());
    return std::move(*answer);
}

Result<json::object> LocalKeys::create(const KeyWish& wish) {
    auto request = request_of(wish);
    if (!request) return fail(request.error());
    return change(
        [request = *request, hive = hive_->hive()](rest::Change& change) -> Result<json::object> {
            auto minted = rest::mint_and_record(change, hive, request);
            if (!minted) return fail(minted.error());
            return rest::to_json(*minted, change.now());
        });
}

Result<json::array> LocalKeys::list(const std::string& owner) {
    return store::read_for(hive_->database(), [&](store::Session& session) -> Result<json::array> {
        accounts::KeyQuery query{.limit = 1000};
        if (!owner.empty()) query.owner = owner;
        json::array all;
        for (;;) {
            auto page = KeyTable{session, hive_->hive()}.list(query);
            if (!page) return fail(page.error());
            for (const ApiKey& key : *page) {
                all.push_back(rest::to_json(key, hive_->clock().wall()));
            }
            if (page->size() < query.limit) return all;
            query.after = page->back().id;
        }
    });
}

Result<json::object> LocalKeys::show(const std::string& id) {
    return store::read_for(hive_->database(), [&](store::Session& session) -> Result<json::object> {
        auto key = rest::find_key(session, hive_->hive(), id);
        if (!key) return fail(key.error());
        return rest::to_json(*key, hive_->clock().wall());
    });
}

Result<json::object> LocalKeys::rotate(const std::string& id) {
    return change([id, hive = hive_->hive()](rest::Change& change) -> Result<json::object> {
        auto fresh = rest::rotate_and_record(change, hive, id);
        if (!fresh) return fail(fresh.error());
        return rest::to_json(*fresh, change.now());
    });
}

Result<json::object> LocalKeys::revoke(const std::string& id) {
    return change([id, hive = hive_->hive()](rest::Change& change) -> Result<json::object> {
        auto revoked = rest::revoke_and_record(change, hive, id);
        if (!revoked) return fail(revoked.error());
        return rest::to_json(*revoked, change.now());
    });
}

} // namespace hive::cli
