#include "store/accounts_tables.hpp"
#include "store/migration.hpp"
#include "tests/contract/store/home.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;
using namespace std::chrono_literals;
using accounts::ApiKey;
using accounts::KeyKind;
using accounts::KeyQuery;
using accounts::SessionQuery;

namespace {

const HiveId hive_main = HiveId::parse("main").value();
const HiveId hive_other = HiveId::parse("other").value();
constexpr Timestamp now{1'750'000'000s};

// A store, and what is asked of the tables of one hive, each in a unit of its own.
template <class Table>
class Tables {
public:
    Tables() : home_{make_home()}, database_{home_->open()} { REQUIRE(migrate(*database_)); }

    template <class F>
    auto operator()(F ask, const HiveId& hive = hive_main) {
        using Answer = std::invoke_result_t<F&, Table&>;
        if constexpr (std::is_same_v<Answer, Status>) {
            return write_and_wait(*database_, {.work = [&](Session& session) -> Status {
                Table table{session, hive};
                return ask(table);
            }});
        } else {
            return write_for(*database_, [&](Session& session) {
                Table table{session, hive};
                return ask(table);
            });
        }
    }

private:
    std::unique_ptr<Home> home_;
    std::unique_ptr<Database> database_;
};

ApiKey key(const std::string& id, const std::string& owner = "BOT-003") {
    accounts::KeyEntropy entropy{};
    const Digest bytes = sha256(hive::bytes_of(id));
    std::copy_n(bytes.begin(), entropy.size(), entropy.begin());
    return accounts::mint_key({.id = id, .owner = owner}, entropy, now).value().record;
}

bool same(const ApiKey& a, const ApiKey& b) {
    return a.id == b.id && a.owner == b.owner && a.kind == b.kind && a.role == b.role &&
           a.scopes == b.scopes && a.shown == b.shown && a.hash == b.hash &&
           a.created == b.created && a.expires == b.expires && a.revoked == b.revoked &&
           a.last_used == b.last_used && a.rotated_to == b.rotated_to;
}

std::vector<std::string> ids(const Result<std::vector<ApiKey>>& keys) {
    REQUIRE(keys);
    std::vector<std::string> found;
    for (const auto& each : *keys) found.push_back(each.id);
    return found;
}

accounts::Session signed_in(const std::string& token, const std::string& person) {
    return {
        .token_hash = accounts::hash_token(token),
        .person = person,
        .role = accounts::Role::admin,
        .created = now,
        .last_seen = now};
}

using Keys = Tables<KeyTable>;
using Sessions = Tables<SessionTable>;

Status insert(Keys& keys, const ApiKey& key, const HiveId& hive = hive_main) {
    return keys([&](KeyTable& table) { return table.insert(key); }, hive);
}
std::optional<ApiKey> find(Keys& keys, const std::string& id, const HiveId& hive = hive_main) {
    return keys([&](KeyTable& table) { return table.find(id); }, hive).value();
}
std::optional<accounts::Session> find(Sessions& sessions, const Digest& hash) {
    return sessions([&](SessionTable& table) { return table.find(hash); }).value();
}

} // namespace

TEST_CASE("keys of every shape come back as they were inserted, by id and by hash") {
    Keys keys;
    std::vector<ApiKey> shapes{key("plain"), key("all-set"), key("no-scopes"), key("everything")};
    shapes[1].kind = KeyKind::service;
    shapes[1].role = accounts::Role::admin;
    shapes[1].expires = now + 24h + 1ns;
    shapes[1].revoked = now + 1h;
    shapes[1].last_used = now + 2h;
    shapes[1].rotated_to = "plain";
    shapes[2].kind = KeyKind::human;
    shapes[2].role = accounts::Role::readonly;
    shapes[2].scopes = {};
    shapes[3].scopes = accounts::Scopes::everything();
    for (const auto& shape : shapes) REQUIRE(insert(keys, shape));
    for (const auto& shape : shapes) {
        const auto by_id = find(keys, shape.id);
        REQUIRE(by_id);
        CHECK(same(*by_id, shape));
        const auto by_hash =
            keys([&](KeyTable& table) { return table.find_by_hash(shape.hash); }).value();
        REQUIRE(by_hash);
        CHECK(same(*by_hash, shape));
    }
}

TEST_CASE("a key of another hive or one that is not there is not found") {
    Keys keys;
    REQUIRE(insert(keys, key("one")));
    CHECK_FALSE(find(keys, "two"));
    CHECK_FALSE(find(keys, "one", hive_other));
    const auto foreign =
        keys([&](KeyTable& table) { return table.find_by_hash(key("one").hash); }, hive_other);
    CHECK_FALSE(foreign.value());
    CHECK(ids(keys([](KeyTable& table) { return table.list({}); }, hive_other)).empty());
}

TEST_CASE("a second key with the same id or hash is refused") {
    Keys keys;
    REQUIRE(insert(keys, key("one")));
    ApiKey same_id = key("two");
    same_id.id = "one";
    ApiKey same_hash = key("one");
    same_hash.id = "two";
    for (const auto& refused : {same_id, same_hash}) {
        const Status status = insert(keys, refused);
        REQUIRE_FALSE(status);
        CHECK(status.error().code == Errc::conflict);
    }
}

TEST_CASE("keys are listed by id, by owner and page by page") {
    Keys keys;
    for (const char* id : {"d", "a", "c", "b", "B"}) {
        REQUIRE(insert(keys, key(id, *id == 'c' ? "queen" : "BOT-003")));
    }
    const auto list = [&](const KeyQuery& query) {
        return ids(keys([&](KeyTable& table) { return table.list(query); }));
    };
    using Ids = std::vector<std::string>;
    CHECK(list({}) == Ids{"B", "a", "b", "c", "d"});
    CHECK(list({.limit = 2}) == Ids{"B", "a"});
    CHECK(list({.after = "a", .limit = 2}) == Ids{"b", "c"});
    CHECK(list({.after = "d"}).empty());
    CHECK(list({.owner = "BOT-003", .after = "a"}) == Ids{"b", "d"});
    CHECK(list({.owner = "queen"}) == Ids{"c"});
    CHECK(list({.owner = "nobody"}).empty());
    CHECK(list({.limit = 0}).empty());
    CHECK(list({.limit = SIZE_MAX}).size() == 5);
}

TEST_CASE("an update keeps expiry, revocation and successor, and nothing else") {
    Keys keys;
    REQUIRE(insert(keys, key("one")));
    REQUIRE(insert(keys, key("next")));
    ApiKey changed = key("one");
    changed.expires = now + 1h;
    changed.revoked = now + 2h;
    changed.rotated_to = "next";
    ApiKey sent = changed;
    sent.owner = "intruder";
    sent.scopes = accounts::Scopes::everything();
    sent.last_used = now + 9h;
    REQUIRE(keys([&](KeyTable& table) { return table.update(sent); }));
    CHECK(same(*find(keys, "one"), changed));
    REQUIRE(keys([&](KeyTable& table) { return table.update(key("one")); }));
    CHECK(same(*find(keys, "one"), key("one"))); // and back to none
}

TEST_CASE("an update of a key that is not there, or to a successor that is not, is refused") {
    Keys keys;
    REQUIRE(insert(keys, key("one")));
    const auto update = [&](const ApiKey& wanted, const HiveId& hive) {
        const Status status = keys([&](KeyTable& table) { return table.update(wanted); }, hive);
        REQUIRE_FALSE(status);
        return status.error().code;
    };
    CHECK(update(key("two"), hive_main) == Errc::not_found);
    CHECK(update(key("one"), hive_other) == Errc::not_found);
    ApiKey astray = key("one");
    astray.rotated_to = "nowhere";
    CHECK(update(astray, hive_main) == Errc::conflict);
}

TEST_CASE("the last use of a key never moves backwards") {
    Keys keys;
    REQUIRE(insert(keys, key("one")));
    for (const auto when : {now + 2h, now + 1h, now + 2h}) {
        REQUIRE(keys([&](KeyTable& table) { return table.used("one", when); }));
    }
    CHECK(find(keys, "one")->last_used == now + 2h);
    CHECK(keys([](KeyTable& table) { return table.used("unknown", now); }));
}

TEST_CASE("a session is found by its token's hash until it is removed") {
    Sessions sessions;
    const accounts::Session alice = signed_in("token", "alice");
    REQUIRE(sessions([&](SessionTable& table) { return table.insert(alice); }));
    const auto found = find(sessions, alice.token_hash);
    REQUIRE(found);
    CHECK(found->token_hash == alice.token_hash);
    CHECK(found->person == "alice");
    CHECK(found->role == accounts::Role::admin);
    CHECK(found->created == now);
    CHECK(found->last_seen == now);
    CHECK_FALSE(find(sessions, accounts::hash_token("other")));
    const auto foreign =
        sessions([&](SessionTable& table) { return table.find(alice.token_hash); }, hive_other);
    CHECK_FALSE(foreign.value());

    const Status twice = sessions([&](SessionTable& table) { return table.insert(alice); });
    REQUIRE_FALSE(twice);
    CHECK(twice.error().code == Errc::conflict);
    REQUIRE(sessions([&](SessionTable& table) { return table.remove(alice.token_hash); }));
    CHECK_FALSE(find(sessions, alice.token_hash));
    CHECK(sessions([&](SessionTable& table) { return table.remove(alice.token_hash); }));
}

TEST_CASE("a session was last seen at the latest time told") {
    Sessions sessions;
    const accounts::Session alice = signed_in("token", "alice");
    REQUIRE(sessions([&](SessionTable& table) { return table.insert(alice); }));
    for (const auto when : {now + 2h, now + 1h}) {
        REQUIRE(sessions([&](SessionTable& table) { return table.seen(alice.token_hash, when); }));
    }
    CHECK(find(sessions, alice.token_hash)->last_seen == now + 2h);
}

TEST_CASE("sessions are listed, the newest first and page by page") {
    Sessions sessions;
    auto early = signed_in("early", "alice");
    early.created = now - 1h;
    std::vector<accounts::Session> at_once;
    for (const char* token : {"1", "2", "3"}) at_once.push_back(signed_in(token, "bob"));
    std::ranges::sort(at_once, {}, &accounts::Session::token_hash);
    REQUIRE(sessions([&](SessionTable& table) { return table.insert(early); }));
    for (const auto& session : at_once)
        REQUIRE(sessions([&](SessionTable& table) { return table.insert(session); }));
    const auto list = [&](const SessionQuery& query, const HiveId& hive = hive_main) {
        return sessions([&](SessionTable& table) { return table.list(query); }, hive).value();
    };
    const auto all = list({});
    REQUIRE(all.size() == 4);
    for (std::size_t i = 0; i < 3; ++i) CHECK(all[i].token_hash == at_once[i].token_hash);
    CHECK(all[3].person == "alice");
    CHECK(all[3].created == now - 1h);
    CHECK(list({.limit = 1}).size() == 1);
    CHECK(list({.limit = SIZE_MAX}).size() == 4);
    // Those that began at the same moment are told apart by their hash.
    const auto rest = list({.before = now, .after = at_once[1].token_hash});
    REQUIRE(rest.size() == 2);
    CHECK(rest[0].token_hash == at_once[2].token_hash);
    CHECK(rest[1].token_hash == early.token_hash);
    CHECK(list({.before = early.created, .after = early.token_hash}).empty());
    CHECK(list({}, hive_other).empty());
}

TEST_CASE("all sessions of a person end at once, those of others stay") {
    Sessions sessions;
    for (const auto& session :
         {signed_in("1", "alice"), signed_in("2", "alice"), signed_in("3", "bob")}) {
        REQUIRE(sessions([&](SessionTable& table) { return table.insert(session); }));
    }
    const auto remove = [&](const HiveId& hive) {
        return sessions([](SessionTable& table) { return table.remove_all_of("alice"); }, hive)
            .value();
    };
    CHECK(remove(hive_other) == 0);
    CHECK(remove(hive_main) == 2);
    CHECK(find(sessions, accounts::hash_token("3")));
}

TEST_CASE("exactly the sessions that have ended are purged") {
    Sessions sessions;
    const accounts::SessionPolicy policy{.idle = 1h, .longest = 10h};
    std::vector<accounts::Session> all;
    for (const auto age : {0h, 1h, 9h, 10h, 11h}) {
        for (const auto idle : {Duration{0}, Duration{1h - 1ns}, Duration{1h}}) {
            auto& session = all.emplace_back(signed_in(std::to_string(all.size()), "alice"));
            session.created = now - age;
            session.last_seen = now - idle;
            REQUIRE(sessions([&](SessionTable& table) { return table.insert(session); }));
        }
    }
    std::int64_t ended = 0;
    for (const auto& session : all) ended += principal_of(session, policy, now) ? 0 : 1;
    const auto purged =
        sessions([&](SessionTable& table) { return table.purge(policy, now); }).value();
    CHECK(purged == ended);
    for (const auto& session : all) {
        CHECK(
            find(sessions, session.token_hash).has_value() ==
            principal_of(session, policy, now).has_value());
    }
}
