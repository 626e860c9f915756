#include "tests/simulation/handshake/performer.hpp"
#include "tests/simulation/handshake/requester.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::simulation::handshake;
using namespace std::chrono_literals;

namespace {

const Attempt first{"order-1.1", "order-1"};
const Attempt second{"order-1.2", "order-1"};

struct PerformerUnderTest {
    PerformerState state{};
    TimePoint now{};
    PerformerSettings settings{.work_takes = 1s};

    std::vector<PerformerEffect> on(const PerformerEvent& event) {
        auto decision = decide(state, event, now, settings);
        state = decision.next;
        return decision.effects;
    }
    Outcome announced_at_tick() {
        for (const auto& effect : on(PerformerTick{})) {
            if (const auto* announce = std::get_if<Announce>(&effect)) return announce->outcome;
        }
        FAIL("nothing was announced");
        return {};
    }
};

struct RequesterUnderTest {
    RequesterState state{};
    TimePoint now{};
    RequesterSettings settings{.orders = 1, .send_again_after = 1s, .give_up_after = 10s};

    std::vector<Attempt> sent_on(const RequesterEvent& event) {
        auto decision = decide(state, event, now, settings);
        state = decision.next;
        std::vector<Attempt> sent;
        for (const auto& effect : decision.effects) {
            if (const auto* send = std::get_if<Send>(&effect)) sent.push_back(send->attempt);
        }
        return sent;
    }
    template <class Stage>
    bool is() const {
        return std::holds_alternative<Stage>(state.orders.at("order-1").stage);
    }
};

} // namespace

TEST_CASE("a performer persists a command before it acknowledges and reacts") {
    PerformerUnderTest performer;
    const auto effects = performer.on(CommandArrived{first});
    REQUIRE(effects.size() == 3);
    CHECK(std::holds_alternative<SaveJob>(effects[0]));
    CHECK(std::holds_alternative<Acknowledge>(effects[1]));
    CHECK(std::holds_alternative<React>(effects[2]));
}

TEST_CASE("a performer enters a command once and gives every attempt its outcome") {
    PerformerUnderTest performer;
    performer.on(CommandArrived{first});
    performer.on(CommandArrived{first});
    performer.now += 1s;
    CHECK(performer.announced_at_tick().entry == 1);
    performer.on(Confirmed{first.correlation});
    performer.on(CommandArrived{second});
    performer.now += 1s;
    const auto outcome = performer.announced_at_tick();
    CHECK(outcome.attempt == second);
    CHECK(outcome.entry == 1);
    CHECK(performer.state.ledger == std::vector<std::string>{"order-1"});
}

TEST_CASE("a performer announces until the broker has confirmed") {
    PerformerUnderTest performer;
    performer.on(CommandArrived{first});
    performer.now += 1s;
    performer.announced_at_tick();
    performer.announced_at_tick();
    performer.on(Confirmed{first.correlation});
    CHECK(performer.on(PerformerTick{}).empty());
}

TEST_CASE("a requester sends again, each time with a new correlation id, until the reaction") {
    RequesterUnderTest requester;
    CHECK(requester.sent_on(RequesterTick{}) == std::vector{first});
    CHECK(requester.sent_on(RequesterTick{}).empty());
    requester.now += 1s;
    CHECK(requester.sent_on(RequesterTick{}) == std::vector{second});
    requester.sent_on(ReactionHeard{first});
    requester.now += 5s;
    CHECK(requester.sent_on(RequesterTick{}).empty());
    CHECK(requester.is<Accepted>());
}

TEST_CASE("the first outcome ends an order and later ones change nothing") {
    RequesterUnderTest requester;
    requester.sent_on(RequesterTick{});
    requester.sent_on(OutcomeHeard{{first, 7}});
    requester.sent_on(OutcomeHeard{{second, 8}});
    requester.sent_on(ReactionHeard{first});
    REQUIRE(requester.is<Ended>());
    CHECK(std::get<Ended>(requester.state.orders.at("order-1").stage).entry == 7);
}

TEST_CASE("a requester gives up at its deadline") {
    RequesterUnderTest requester;
    requester.sent_on(RequesterTick{});
    requester.now += 10s;
    CHECK(requester.sent_on(RequesterTick{}).empty());
    CHECK(requester.is<GivenUp>());
}

TEST_CASE("messages read back as they were written, and others are refused") {
    const Message message = Outcome{first, 3};
    const auto decoded = decode(routing_key_of(message), encode(message));
    REQUIRE(decoded);
    CHECK(std::get<Outcome>(*decoded).attempt == first);
    CHECK(std::get<Outcome>(*decoded).entry == 3);
    CHECK_FALSE(decode(outcome_key, "a b").has_value());
    CHECK_FALSE(decode(outcome_key, "a b c").has_value());
    CHECK_FALSE(decode("event.other", "a b").has_value());
}
