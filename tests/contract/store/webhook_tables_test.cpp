#include "colony/webhooks/delivering.hpp"
#include "store/wait.hpp"
#include "store/webhook_tables.hpp"
#include "tests/contract/store/hive_under_test.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::colony::webhooks;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

const Timestamp noon = Timestamp{1'700'000'000s};

// Runs in a unit that must succeed.
template <class F>
void in_unit(HiveUnderTest& hive, F work) {
    const auto done =
        store::write_and_wait(hive.db(), {.work = [&](store::Session& session) -> Status {
                                  work(session);
                                  return {};
                              }});
    REQUIRE_MESSAGE(done, done.error().detail);
}

Endpoint endpoint(const std::string& id) {
    return {
        .id = id,
        .url = "https://a.example/hook",
        .events = {"task.*"},
        .description = "d",
        .created = noon,
        .secrets = {.signing = make_secret({1}), .token = Secret{"word"}}};
}

Delivery delivery(int number, State state = State::pending, const std::string& webhook = "w1") {
    const Timestamp at = noon + std::chrono::seconds{number};
    return {
        .id = fmt::format("d{:04}", number),
        .endpoint = webhook,
        .event = number % 2 == 0 ? "task.created" : "task.claimed",
        .payload = R"({"type":"x"})",
        .state = state,
        .created = at,
        .due = state == State::pending ? std::optional{at} : std::nullopt};
}

std::vector<std::string> ids(const Result<std::vector<Delivery>>& found) {
    REQUIRE(found);
    std::vector<std::string> all;
    for (const auto& one : *found) all.push_back(one.id);
    return all;
}

using Ids = std::vector<std::string>;

void add_webhooks(HiveUnderTest& hive) {
    in_unit(hive, [&](store::Session& session) {
        store::WebhookTable book{session, hive.hive()};
        for (const auto* id : {"w1", "w2"}) REQUIRE(book.insert(endpoint(id)));
    });
}

std::int64_t rows_in_log(HiveUnderTest& hive) {
    std::int64_t count = 0;
    REQUIRE(store::read_and_wait(hive.db(), {.work = [&](store::Session& session) {
                                     return session.query(
                                         "SELECT COUNT(*) FROM colony_webhook_delivery", {},
                                         [&](const store::Row& row) { count = row.integer(0); });
                                 }}));
    return count;
}

} // namespace

TEST_CASE("a webhook comes back as it was kept, with its secrets, and goes with its deliveries") {
    HiveUnderTest hive;
    in_unit(hive, [&](store::Session& session) {
        store::WebhookTable book{session, hive.hive()};
        store::DeliveryTable log{session, hive.hive()};
        Endpoint one = endpoint("w1");
        REQUIRE(book.insert(one));
        REQUIRE(book.insert(endpoint("w2")));
        CHECK(book.find("w1").value() == one);
        one.secrets.former = std::exchange(one.secrets.signing, make_secret({2}));
        one.secrets.former_until = noon + 1h;
        one.enabled = false;
        one.disabled_because = "gone";
        REQUIRE(book.update(one));
        CHECK(book.find("w1").value() == one);
        CHECK(book.list()->size() == 2);
        REQUIRE(log.insert(delivery(1)));
        REQUIRE(log.insert(delivery(2, State::pending, "w2")));
        REQUIRE(book.remove("w1"));
        CHECK_FALSE(book.find("w1").value());
        CHECK_FALSE(log.find("d0001").value());
        CHECK(log.find("d0002").value());
    });
}

TEST_CASE("a webhook that another server removed leaves no delivery behind") {
    HiveUnderTest hive;
    add_webhooks(hive);
    in_unit(hive, [&](store::Session& session) {
        REQUIRE(store::DeliveryTable{session, hive.hive()}.insert(delivery(1)));
    });
    const auto other = hive.home().open();
    REQUIRE(store::write_and_wait(*other, {.work = [&](store::Session& session) {
        return store::WebhookTable{session, hive.hive()}.remove("w1");
    }}));
    // This server has not looked since, and goes on to write down what w1 would be told.
    in_unit(hive, [&](store::Session& session) {
        store::DeliveryTable log{session, hive.hive()};
        REQUIRE(log.insert(delivery(2)));
        REQUIRE(log.insert(delivery(3, State::delivered, "w2")));
        CHECK_FALSE(log.find("d0002").value());
        CHECK(log.find("d0003").value());
    });
    CHECK(rows_in_log(hive) == 1);
}

TEST_CASE("deliveries are found by webhook, state, event and page") {
    HiveUnderTest hive;
    add_webhooks(hive);
    in_unit(hive, [&](store::Session& session) {
        store::DeliveryTable log{session, hive.hive()};
        for (int i = 1; i <= 4; ++i) REQUIRE(log.insert(delivery(i)));
        REQUIRE(log.insert(delivery(5, State::failed)));
        REQUIRE(log.insert(delivery(6, State::delivered, "w2")));
        CHECK(ids(log.list({.endpoint = "w1", .limit = 2})) == Ids{"d0005", "d0004"});
        CHECK(ids(log.list({.endpoint = "w1", .before = "d0003"})) == Ids{"d0002", "d0001"});
        CHECK(ids(log.list({.endpoint = "w1", .state = State::failed})) == Ids{"d0005"});
        CHECK(ids(log.list({.endpoint = "w1", .event = "task.created"})) == Ids{"d0004", "d0002"});
        CHECK(ids(log.since("w1", noon + 3s, "")) == Ids{"d0003", "d0004", "d0005"});
        CHECK(ids(log.since("w1", noon + 3s, "d0003")) == Ids{"d0004", "d0005"});
    });
}

TEST_CASE("what is due is taken once, and is due again when whoever took it is not heard of") {
    HiveUnderTest hive;
    in_unit(hive, [&](store::Session& session) {
        store::WebhookTable book{session, hive.hive()};
        store::DeliveryTable log{session, hive.hive()};
        REQUIRE(book.insert(endpoint("w1")));
        for (int i = 1; i <= 3; ++i) REQUIRE(log.insert(delivery(i)));
        REQUIRE(log.insert(delivery(4, State::failed)));
        const Policy policy;
        Random random{1};
        colony::Moment moment{{.id = "hive"}, noon + 2s, random};
        Office office{book, log, moment, policy};
        const auto first = take(office, endpoint("w1"), 1);
        REQUIRE(first);
        CHECK(ids(*first) == Ids{"d0001"});
        CHECK(ids(*take(office, endpoint("w1"), 9)) == Ids{"d0002"}); // 3 is not due yet
        CHECK(take(office, endpoint("w1"), 9)->empty());
        CHECK(ids(log.due("w1", noon + 1h, 9)) == Ids{"d0003", "d0001", "d0002"});
        // An answer settles it for good.
        const Reply fine{.attempt = {.at = noon + 2s, .took = 5ms, .status = 204}};
        REQUIRE(conclude(office, "d0001", fine));
        CHECK(log.find("d0001").value()->state == State::delivered);
        CHECK(log.find("d0001").value()->payload == R"({"type":"x"})");
        CHECK(ids(log.due("w1", noon + 1h, 9)) == Ids{"d0003", "d0002"});
        REQUIRE(conclude(office, "none", fine)); // removed meanwhile
        CHECK(moment.events().empty());
    });
}

TEST_CASE("a log stays as long as it may be, and what had not arrived is said to be lost") {
    HiveUnderTest hive;
    add_webhooks(hive);
    in_unit(hive, [&](store::Session& session) {
        store::DeliveryTable log{session, hive.hive()};
        for (int i = 1; i <= 5; ++i) REQUIRE(log.insert(delivery(i, State::delivered)));
        for (int i = 6; i <= 9; ++i) REQUIRE(log.insert(delivery(i)));
        REQUIRE(log.insert(delivery(10, State::delivered, "w2")));
        const auto old = log.prune({.endpoint = "w1", .ended_before = noon + 3s, .newest = 100});
        REQUIRE(old);
        CHECK(old->ended == 2);
        CHECK(old->pending == 0);
        const auto many = log.prune({.endpoint = "w1", .ended_before = noon, .newest = 3});
        REQUIRE(many);
        CHECK(many->ended == 3);
        CHECK(many->pending == 1);
        CHECK(ids(log.list({.endpoint = "w1"})) == Ids{"d0009", "d0008", "d0007"});
        CHECK(log.find("d0010").value());
        // The chore says what it had to drop.
        store::WebhookTable book{session, hive.hive()};
        Policy policy;
        policy.log_max = 2;
        Random random{1};
        colony::Moment moment{{.id = "hive"}, noon + 1h, random};
        Office office{book, log, moment, policy};
        REQUIRE(prune(office, endpoint("w1")));
        REQUIRE(moment.events().size() == 1);
        CHECK(moment.events().front().type == "webhook.overflowed");
        CHECK(moment.events().front().told.at("dropped") == 1);
        REQUIRE(prune(office, endpoint("w1")));
        CHECK(moment.events().size() == 1);
    });
}
