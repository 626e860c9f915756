#include "store/idempotency.hpp"
#include "store/migration.hpp"
#include "tests/contract/store/home.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

// A store and a clock moved by hand.
class Keys {
public:
    Keys() : home_{make_home()}, database_{home_->open()} { REQUIRE(migrate(*database_)); }

    Result<Claim> claim(const KeyedRequest& request) {
        return write_for(
            *database_, [&](Session& session) { return claim_key(session, request, now); });
    }
    Status keep(const KeyedRequest& request, const Answer& answer, Timestamp claimed) {
        return write_and_wait(*database_, {.work = [&](Session& session) -> Status {
            return keep_answer(session, request, {answer, claimed}, now);
        }});
    }
    Status release(const KeyedRequest& request, Timestamp claimed) {
        return write_and_wait(*database_, {.work = [&](Session& session) -> Status {
            return release_key(session, request, claimed);
        }});
    }
    Result<std::int64_t> purge() {
        return write_for(*database_, [&](Session& session) { return purge_keys(session, now); });
    }

    Timestamp now{1'750'000'000s};

private:
    std::unique_ptr<Home> home_;
    std::unique_ptr<Database> database_;
};

const KeyedRequest request{"main", "queen/key-1", "POST /swarms 1234"};
const Answer answer{201, std::string{"any \0 bytes", 11}};

} // namespace

TEST_CASE("the first request with a key is fresh, the same again replays its answer for a day") {
    Keys keys;
    const auto first = keys.claim(request);
    REQUIRE(first);
    REQUIRE(std::holds_alternative<Fresh>(*first));
    REQUIRE(keys.keep(request, answer, std::get<Fresh>(*first).claimed));

    keys.now += 24h - 1s;
    const auto again = keys.claim(request);
    REQUIRE(again);
    REQUIRE(std::holds_alternative<Replay>(*again));
    CHECK(std::get<Replay>(*again).answer == answer);

    keys.now += 2s;
    CHECK(std::holds_alternative<Fresh>(*keys.claim(request)));
}

TEST_CASE("a key used for another request is a conflict, in flight or answered") {
    Keys keys;
    const KeyedRequest other{request.hive, request.key, "DELETE /swarms 1234"};
    const auto first = keys.claim(request);
    REQUIRE(first);
    auto refused = keys.claim(other);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::conflict);
    REQUIRE(keys.keep(request, answer, std::get<Fresh>(*first).claimed));
    refused = keys.claim(other);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::conflict);
}

TEST_CASE("the same request while the first is in flight is told apart from a replay") {
    Keys keys;
    REQUIRE(keys.claim(request));
    CHECK(std::holds_alternative<InFlight>(*keys.claim(request)));
}

TEST_CASE("a request whose server died can be taken over, and the late first one loses") {
    Keys keys;
    const Timestamp died = std::get<Fresh>(*keys.claim(request)).claimed;
    keys.now += in_flight_max + 1s;
    const auto taken_over = keys.claim(request);
    REQUIRE(std::holds_alternative<Fresh>(*taken_over));
    const Status late = keys.keep(request, answer, died);
    REQUIRE_FALSE(late);
    CHECK(late.error().code == Errc::conflict);
    CHECK(keys.keep(request, answer, std::get<Fresh>(*taken_over).claimed));
}

TEST_CASE("a released key is fresh again, an answered one cannot be released") {
    Keys keys;
    const Timestamp claimed = std::get<Fresh>(*keys.claim(request)).claimed;
    REQUIRE(keys.release(request, claimed));
    keys.now += 1s;
    const auto again = keys.claim(request);
    REQUIRE(std::holds_alternative<Fresh>(*again));
    REQUIRE(keys.keep(request, answer, keys.now));
    REQUIRE(keys.release(request, keys.now));
    CHECK(std::holds_alternative<Replay>(*keys.claim(request)));
}

TEST_CASE("keys of different hives never meet") {
    Keys keys;
    REQUIRE(keys.claim(request));
    CHECK(std::holds_alternative<Fresh>(*keys.claim({"other", request.key, "something else"})));
}

TEST_CASE("what has expired is purged and nothing else") {
    Keys keys;
    const Timestamp claimed = std::get<Fresh>(*keys.claim(request)).claimed;
    REQUIRE(keys.keep(request, answer, claimed));
    REQUIRE(keys.claim({"main", "key-2", "x"}));
    CHECK(*keys.purge() == 0);
    keys.now += in_flight_max;
    CHECK(*keys.purge() == 1);
    CHECK(std::holds_alternative<Replay>(*keys.claim(request)));
    keys.now += 24h;
    CHECK(*keys.purge() == 1);
}

TEST_CASE("keys and answers beyond their limits are refused") {
    Keys keys;
    CHECK(keys.claim({"main", "", "x"}).error().code == Errc::invalid);
    CHECK(keys.claim({"main", std::string(256, 'k'), "x"}).error().code == Errc::invalid);
    const Timestamp claimed = std::get<Fresh>(*keys.claim(request)).claimed;
    const Answer large{200, std::string(answer_bytes_max + 1, 'x')};
    CHECK(keys.keep(request, large, claimed).error().code == Errc::limit);
}
