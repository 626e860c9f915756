#include "guard/decide.hpp"
#include "guard/status.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hive;
using namespace hive::guard;
using namespace std::chrono_literals;

namespace {

// A guard and a queue whose depth the test says.
struct GuardUnderTest {
    Settings settings{
        .enabled = true,
        .queue = "genToMod",
        .sample_period = 1s,
        .window = 1,
        .adjust = {.max_increase_pct = 20, .max_decrease_pct = 20}};
    State state{};
    TimePoint now{};
    std::vector<Command> last{};

    void on(const Event& event) {
        Decision decision = decide(std::move(state), event, now, settings);
        state = std::move(decision.next);
        last = std::move(decision.commands);
    }
    void sample(std::optional<double> depth, std::optional<double> behind = {}) {
        now += settings.sample_period;
        on(Sample{depth, behind});
    }
    void start(double rate = 500) {
        on(Enabled{rate});
        for (int i = 0; i < 80; ++i) sample(200);
    }
    template <class T>
    std::vector<T> all() const {
        std::vector<T> found;
        for (const Command& each : last) {
            if (const auto* one = std::get_if<T>(&each)) found.push_back(*one);
        }
        return found;
    }
    template <class T>
    bool says(std::string_view code) const {
        const auto found = all<T>();
        return std::ranges::find(found, code, &T::code) != found.end();
    }
};

Settings with_backpressure(Settings settings) {
    settings.backpressure = Backpressure{.queue = "modToProc"};
    return settings;
}

} // namespace

TEST_CASE("a guard that holds is silent") {
    GuardUnderTest guard;
    guard.start();
    CHECK(guard.state.phase == Phase::steady);
    CHECK(guard.state.rate == 500);
    CHECK(guard.last.empty());
}

TEST_CASE("a guard that is not enabled does nothing, and before it begins it hears nothing") {
    GuardUnderTest guard;
    guard.sample(0);
    CHECK(guard.last.empty());
    guard.settings.enabled = false;
    guard.start();
    CHECK(guard.last.empty());
    CHECK(guard.state.phase == Phase::disabled);
}

TEST_CASE("a configured rate beyond the bounds is brought within them at once") {
    GuardUnderTest guard;
    guard.on(Enabled{20});
    REQUIRE(guard.all<SetRate>().size() == 1);
    CHECK(guard.all<SetRate>()[0].total == 50);
    CHECK(guard.all<SetRate>()[0].from == 20);
}

TEST_CASE("below the bracket it fills, above it drains, and each change says why") {
    GuardUnderTest guard;
    guard.start();
    guard.sample(100);
    CHECK(guard.state.phase == Phase::filling);
    REQUIRE(guard.all<SetRate>().size() == 1);
    const SetRate set = guard.all<SetRate>()[0];
    CHECK(set.total > 500);
    CHECK(set.total <= 600);
    CHECK(to_text(Command{set}).starts_with("rate 500/s to 600/s: depth 100, target 200"));
    CHECK(to_text(Command{set}).ends_with("FILLING, rule increase-limit"));
    guard.sample(155); // back inside, but not yet half-way to the target
    CHECK(guard.state.phase == Phase::filling);
    guard.sample(165);
    CHECK(guard.state.phase == Phase::steady);
    guard.sample(300);
    CHECK(guard.state.phase == Phase::draining);
}

TEST_CASE("less than 1 % is not worth a message, unless the phase changed") {
    GuardUnderTest guard;
    guard.start();
    guard.sample(198);
    CHECK(guard.all<SetRate>().empty());
    CHECK(guard.state.rate == 500);
}

TEST_CASE("between two changes lies the minimum interval") {
    GuardUnderTest guard;
    guard.settings.adjust.min_interval = 5s;
    guard.start();
    guard.sample(150);
    REQUIRE(guard.all<SetRate>().size() == 1);
    for (int i = 0; i < 4; ++i) {
        guard.sample(100);
        CHECK(guard.all<SetRate>().empty());
    }
    guard.sample(100);
    CHECK(guard.all<SetRate>().size() == 1);
}

TEST_CASE("a missing depth is not zero: the third freezes the rate with one warning") {
    GuardUnderTest guard;
    guard.start();
    guard.sample({});
    guard.sample({});
    CHECK(guard.all<Warn>().empty());
    guard.sample({});
    CHECK(guard.says<Warn>("depth-missing"));
    const double frozen = guard.state.rate;
    for (int i = 0; i < 20; ++i) {
        guard.sample({});
        CHECK(guard.last.empty());
    }
    CHECK(guard.state.rate == frozen);
    CHECK(frozen == doctest::Approx(500).epsilon(0.02));
    guard.sample(200);
    CHECK(guard.says<Note>("depth-known"));
    guard.sample(200);
    CHECK(guard.all<Note>().empty());
}

TEST_CASE("a depth that cannot be one is missing too") {
    GuardUnderTest guard;
    guard.start();
    guard.sample(-1);
    guard.sample(std::numeric_limits<double>::quiet_NaN());
    guard.sample(std::numeric_limits<double>::infinity());
    CHECK(guard.says<Warn>("depth-missing"));
    CHECK(guard.state.depths.average() == 200);
}

TEST_CASE("switched off it hands the configured rates back, switched on it begins anew") {
    GuardUnderTest guard;
    guard.start();
    guard.sample(100);
    REQUIRE(guard.state.rate != 500);
    guard.settings.enabled = false;
    guard.on(SettingsChanged{});
    CHECK(guard.all<RestoreStatic>().size() == 1);
    CHECK(guard.state.phase == Phase::disabled);
    CHECK(guard.state.rate == 500);
    guard.sample(0);
    CHECK(guard.last.empty());
    guard.settings.enabled = true;
    guard.on(SettingsChanged{});
    CHECK(guard.state.phase == Phase::steady);
    guard.on(Disabled{});
    CHECK(guard.all<RestoreStatic>().size() == 1);
    guard.on(Disabled{});
    CHECK(guard.last.empty());
}

TEST_CASE("new bounds hold at once") {
    GuardUnderTest guard;
    guard.start();
    guard.settings.adjust.max_rate = 300;
    guard.on(SettingsChanged{});
    REQUIRE(guard.all<SetRate>().size() == 1);
    CHECK(guard.all<SetRate>()[0].total == 300);
    CHECK(guard.all<SetRate>()[0].rule == Rule::max_rate);
}

TEST_CASE("a spike within the lookahead raises the target until it starts") {
    GuardUnderTest guard;
    guard.settings.prefill = {.enabled = true, .lookahead = 30s, .lift_pct = 20};
    guard.start();
    guard.on(SpikesPlanned{{{guard.now + 40s, 10s}}});
    for (int i = 0; i < 9; ++i) guard.sample(200);
    CHECK(guard.state.phase == Phase::steady);
    guard.sample(200);
    CHECK(guard.state.phase == Phase::prefill);
    CHECK(guard.state.target == doctest::Approx(240));
    for (int i = 0; i < 29; ++i) guard.sample(240);
    CHECK(guard.state.phase == Phase::prefill);
    guard.sample(240);
    CHECK(guard.state.phase == Phase::steady);
    CHECK(guard.state.target == 200);
    guard.settings.prefill.lift_pct = 500;
    guard.on(SpikesPlanned{{{guard.now + 5s, 10s}}});
    guard.sample(200);
    CHECK(guard.state.target == 278); // never closer to the end of the bracket than a target may be
}

TEST_CASE("a bracket left for no reason that is known: what the guard did last is told, and why") {
    GuardUnderTest guard;
    guard.settings.adjust.strategy = Strategy::stepwise;
    guard.start();
    for (int depth = 200; depth >= 120; --depth) guard.sample(depth);
    CHECK_FALSE(guard.says<Note>("bracket-left"));
    guard.sample(119);
    REQUIRE(guard.all<Note>().size() == 1);
    CHECK(
        guard.all<Note>()[0].text ==
        "the depth is 119, outside 120 to 280: target 200, the consumers take 501/s; the last "
        "change was from 500/s to 581/s, rule step-up, and strategy stepwise acts only outside the "
        "bracket");
    CHECK(guard.says<Note>("bracket-left"));
    guard.sample(118);
    CHECK(guard.all<Note>().empty()); // once an episode
}

TEST_CASE("consumers that change at once are told as such") {
    GuardUnderTest guard;
    guard.start();
    guard.sample(60);
    CHECK(guard.says<Note>("consumption-changed"));
    CHECK_FALSE(guard.says<Note>("bracket-left"));
}

TEST_CASE("backpressure slows both ends, and recovery returns them step by step") {
    GuardUnderTest guard;
    guard.settings = with_backpressure(guard.settings);
    guard.start();
    guard.sample(200, 501);
    CHECK(guard.state.phase == Phase::backpressure);
    REQUIRE(guard.all<SetModeratorFactor>().size() == 1);
    CHECK(guard.all<SetModeratorFactor>()[0].factor == doctest::Approx(0.85));
    REQUIRE(guard.all<SetRate>().size() == 1);
    CHECK(guard.all<SetRate>()[0].total == doctest::Approx(400));
    for (int i = 0; i < 40; ++i) guard.sample(200, 400); // not yet below the recovery depth
    CHECK(guard.state.rate == 50);
    CHECK(guard.state.factor == doctest::Approx(factor_min));
    CHECK(guard.last.empty());
    guard.sample(200, 300);
    CHECK(guard.state.phase == Phase::recovery);
    double before = guard.state.factor;
    for (int i = 0; i < 60 && guard.state.phase == Phase::recovery; ++i) {
        guard.sample(200, 100);
        CHECK(guard.state.factor >= before);
        CHECK(guard.state.factor <= before * 1.1);
        before = guard.state.factor;
    }
    CHECK(guard.state.factor == 1);
    CHECK(guard.state.phase == Phase::steady);
}

TEST_CASE("backpressure acts although the depth itself is missing, and outlasts its own silence") {
    GuardUnderTest guard;
    guard.settings = with_backpressure(guard.settings);
    guard.start();
    for (int i = 0; i < 4; ++i) guard.sample({}, 600);
    CHECK(guard.state.phase == Phase::backpressure);
    CHECK(guard.state.rate < 500);
    for (int i = 0; i < 3; ++i) guard.sample(200);
    CHECK(guard.says<Warn>("backpressure-depth-missing"));
    CHECK(guard.state.phase == Phase::backpressure);
    guard.on(Disabled{});
    REQUIRE(guard.all<SetModeratorFactor>().size() == 1);
    CHECK(guard.all<SetModeratorFactor>()[0].factor == 1);
}

TEST_CASE("without backpressure in the settings it ends") {
    GuardUnderTest guard;
    guard.settings = with_backpressure(guard.settings);
    guard.start();
    guard.sample(200, 600);
    guard.on(SettingsChanged{}); // other values: what was seen so far no longer counts
    guard.sample(200);
    CHECK(guard.state.phase == Phase::backpressure);
    guard.settings.backpressure.reset();
    guard.on(SettingsChanged{});
    CHECK(guard.state.phase == Phase::recovery);
    guard.sample(200);
    CHECK(guard.state.factor == 1);
}

TEST_CASE("what producers are configured to may change meanwhile, and is what they get back") {
    GuardUnderTest guard;
    guard.start();
    guard.sample(100);
    const double rate = guard.state.rate;
    guard.on(Configured{70});
    CHECK(guard.state.rate == rate); // the queue says what it should be
    CHECK(guard.last.empty());
    guard.on(Disabled{});
    REQUIRE(guard.all<RestoreStatic>().size() == 1);
    CHECK(guard.all<RestoreStatic>()[0].from == rate);
    CHECK(guard.all<RestoreStatic>()[0].to == 70);
    CHECK(guard.state.rate == 70);
}

TEST_CASE("a move says from, to, depth, estimate and rule as fields") {
    const auto moved = context_of(SetRate{
        .total = 600,
        .from = 500,
        .depth = 100,
        .estimate = 590.12345,
        .target = 200,
        .phase = Phase::filling,
        .rule = Rule::increase_limit});
    CHECK(
        hive::to_text(moved) == R"({"from":500,"to":600,"depth":100,"estimate":590.123,)"
                                R"("target":200,"state":"FILLING","rule":"increase-limit"})");
    CHECK(context_of(SetModeratorFactor{0.85}).at("factor") == 0.85);
    CHECK(context_of(RestoreStatic{600, 500}).at("to") == 500.0);
}

TEST_CASE("the status says where the guard stands") {
    GuardUnderTest guard;
    guard.start();
    guard.sample(100);
    const Timestamp wall{1'750'000'000s};
    const auto out = to_json(guard.state, guard.settings, {guard.now + 2s, wall});
    CHECK(out.at("state") == "FILLING");
    CHECK(out.at("since") == "2025-06-15T15:06:38Z");
    CHECK(out.at("depth") == 100.0);
    CHECK(out.at("target") == 200.0);
    CHECK(out.at("bracket").at("min") == 120);
    CHECK(out.at("rate") == 600.0);
    CHECK(out.at("estimate").is_number());
    CHECK(out.at("reason").as_string().starts_with("increase-limit: 100 items, target 200"));
    guard.sample({});
    CHECK(to_json(guard.state, guard.settings, {guard.now, wall}).at("depth").is_null());
}

TEST_CASE("rates read like a person writes them") {
    CHECK(shown_rate(0.5) == "0.5");
    CHECK(shown_rate(5200) == "5,200");
    CHECK(shown_rate(1234567.8) == "1,234,568");
}
