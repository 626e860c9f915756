#include "plan/timeline.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::plan;
using namespace std::chrono_literals;

namespace {

Plan plan_from(std::string_view text) {
    return read_plan(parse_json(text).value().as_object()).value();
}

std::string refusal(std::string_view text) {
    const auto plan = read_plan(parse_json(text).value().as_object());
    return plan ? "" : plan.error().detail;
}

TimePoint at(Duration since) {
    return TimePoint{1h + since};
}

std::vector<std::string> begun(Timeline& timeline, TimePoint now) {
    std::vector<std::string> ids;
    for (const Due& due : timeline.due(now)) {
        if (due.begins) ids.push_back(timeline.plan().steps[due.step].id);
    }
    return ids;
}

using Ids = std::vector<std::string>;

} // namespace

TEST_SUITE("plan") {
    TEST_CASE("steps of everybody are one line in time, and what is read can be written") {
        const Plan plan = plan_from(R"({"swarm":[{"stepId":"end","time":"PT1M","type":"stop"}],
            "bees":[{"role":"generator","steps":[
                {"stepId":"up","time":"10s","type":"ramp","field":"a.b","to":5,"duration":"20s"},
                {"stepId":"set","time":"250ms","config":{"x":1}}]},
              {"beeIds":["people","robots"],"steps":[{"stepId":"calm","time":"40s","type":"stop"}]},
              {"beeId":"people","steps":[{"stepId":"rest","time":"50s","type":"stop"}]},
              {"instanceId":"alpha-moderator-1","steps":[{"stepId":"peak","time":"30s",
                "type":"spike","duration":"5s"}]}],"runs":2})");
        REQUIRE(plan.steps.size() == 6);
        CHECK(plan.steps[0].id == "set");
        CHECK(plan.steps[0].at == 250ms);
        CHECK(plan.steps[1].target.role == "generator");
        CHECK(plan.steps[2].target.instance == "alpha-moderator-1");
        CHECK(to_text(plan.steps[3].target) == "bees people, robots");
        CHECK(to_text(plan.steps[4].target) == "bee people");
        CHECK(plan.length == 1min);
        CHECK(plan.runs == 2);
        CHECK(read_plan(to_json(plan)).value() == plan);
        CHECK(plan_from("{}").empty());
    }

    TEST_CASE("every mistake is named with its place") {
        const auto said = refusal(R"({"swarm":[{"time":"soon","type":"jump"}],"runs":0,
            "bees":[{"steps":[{"stepId":"a","time":"1s"}]}],"lenght":"1s"})");
        for (const char* part :
             {"plan.swarm[0].stepId", "plan.swarm[0].time", "plan.swarm[0].type", "plan.bees[0]",
              "plan.runs", "lenght", "length"}) {
            CHECK_MESSAGE(said.find(part) != said.npos, part, " is not in ", said);
        }
        CHECK(
            refusal(R"({"swarm":[{"stepId":"a","time":"1s","type":"ramp","to":1}]})")
                .find("needs 'field'") != std::string::npos);
        CHECK(
            refusal(R"({"swarm":[{"stepId":"a","time":"1s"},{"stepId":"a","time":"2s"}]})")
                .find("two steps") != std::string::npos);
        CHECK(
            refusal(R"({"swarm":[{"stepId":"a","time":"0s"}],"runs":2})").find("plan.length") !=
            std::string::npos);
    }

    TEST_CASE("a step is due at its time and once, however late one looks") {
        Timeline timeline{plan_from(R"({"swarm":[{"stepId":"a","time":"1s"},
            {"stepId":"b","time":"1s"},{"stepId":"c","time":"3s"}]})")};
        CHECK(begun(timeline, at(0s)).empty());
        CHECK(!timeline.next());
        timeline.run(at(0s));
        CHECK(timeline.next() == at(1s));
        CHECK(begun(timeline, at(999ms)).empty());
        CHECK(begun(timeline, at(1s)) == Ids{"a", "b"});
        CHECK(timeline.next() == at(3s));
        CHECK(timeline.progress(at(2s)).next_in == 1s);
        CHECK(begun(timeline, at(10s)) == Ids{"c"});
        CHECK(timeline.complete());
        CHECK(!timeline.next());
        CHECK(begun(timeline, at(20s)).empty());
        CHECK(timeline.progress(at(20s)).last_step == "c");
    }

    TEST_CASE("while it stands its clock does, so that nothing piles up") {
        Timeline timeline{plan_from(R"({"swarm":[{"stepId":"a","time":"1s"},
            {"stepId":"b","time":"2s"},{"stepId":"c","time":"3s"}]})")};
        timeline.run(at(0s));
        CHECK(begun(timeline, at(1s)) == Ids{"a"});
        timeline.pause(at(1500ms));
        CHECK(begun(timeline, at(60s)).empty());
        timeline.run(at(60s));
        CHECK(begun(timeline, at(60s)).empty());
        CHECK(timeline.next() == at(60500ms));
        CHECK(begun(timeline, at(60500ms)) == Ids{"b"});
        CHECK(begun(timeline, at(61500ms)) == Ids{"c"});
        timeline.pause(at(62s));
        timeline.run(at(70s)); // started again after its end
        CHECK(timeline.next() == at(71s));
        CHECK(begun(timeline, at(71s)) == Ids{"a"});
    }

    TEST_CASE("a ramp moves along its line and ends exactly where it should") {
        Timeline timeline{plan_from(R"({"bees":[{"role":"g","steps":[{"stepId":"up","time":"1s",
            "type":"ramp","field":"rate","to":100,"duration":"2s"}]}]})")};
        timeline.run(at(0s));
        std::vector<double> shares;
        TimePoint now = at(0s);
        while (const auto next = timeline.next()) {
            REQUIRE(*next > now);
            now = *next;
            for (const Due& due : timeline.due(now)) shares.push_back(due.share);
        }
        REQUIRE(shares.size() == 21); // at its begin and every 100 ms of two seconds
        CHECK(shares.front() == 0);
        CHECK(shares[10] == doctest::Approx(0.5));
        CHECK(shares.back() == 1);
        CHECK(now == at(3s));
    }

    TEST_CASE("a plan may be gone through several times; the next spike is known ahead") {
        Timeline timeline{plan_from(R"({"swarm":[{"stepId":"peak","time":"2s","type":"spike",
            "duration":"1s"}],"runs":3,"length":"10s"})")};
        timeline.run(at(0s));
        CHECK(timeline.next_spike(at(500ms))->in == 1500ms);
        CHECK(timeline.next_spike(at(500ms))->lasts == 1s);
        CHECK(begun(timeline, at(2s)) == Ids{"peak"});
        CHECK(timeline.next_spike(at(2s))->in == 10s); // of the second run
        CHECK(timeline.next() == at(10s));
        CHECK(begun(timeline, at(10s)).empty());
        CHECK(timeline.progress(at(11s)).run == 2);
        CHECK(timeline.next_spike(at(11s))->in == 1s);
        CHECK(begun(timeline, at(25s)) == Ids{"peak", "peak"});
        CHECK(!timeline.next_spike(at(25s))); // there is no fourth
        CHECK(!timeline.complete());
        CHECK(begun(timeline, at(30s)).empty());
        CHECK(timeline.complete());
    }

    TEST_CASE("the number that a ramp moves is found and set by its path") {
        const auto config = parse_json(R"({"a":{"b":7},"c":"x"})").value().as_object();
        CHECK(number_at(config, "a.b") == 7);
        CHECK(!number_at(config, "a"));
        CHECK(!number_at(config, "c"));
        CHECK(!number_at(config, "d.e"));
        CHECK(to_text(patch_for("a.b", 2.5)) == R"({"a":{"b":2.5}})");
    }
}
