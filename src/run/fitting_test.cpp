#include "run/fitting.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::run;
using namespace std::chrono_literals;

TEST_SUITE("run") {
    TEST_CASE("bees that make items wait for the word, those that measure share all of it") {
        const auto fit = fit_for_run(parse_json(R"({"bees":[
            {"role":"generator","work":{"out":{"q":"a"}}},
            {"role":"postprocessor","work":{"in":{"q":"a"}},"config":{"x":1}}]})")
                                         .value()
                                         .as_object());
        const json::array& bees = fit.at("bees").as_array();
        CHECK(to_text(bees[0].at("config")) == R"({"inputs":{"hold":true}})");
        CHECK(to_text(bees[1].at("config")) == R"({"x":1,"shareHistograms":true})");
        CHECK(to_text(hold_patch(false)) == R"({"inputs":{"hold":false}})");
    }

    TEST_CASE("another rate is shared out as before, without an end of its own") {
        const auto text = parse_json(R"({"bees":[
            {"role":"generator","config":{"inputs":{"type":"SCHEDULER","scheduler":
                {"ratePerSec":30,"maxMessages":9}}},"work":{"out":{"q":"a"}}},
            {"role":"generator","config":{"inputs":{"type":"CSV_DATASET","csv":
                {"ratePerSec":10,"filePath":"x"}}},"work":{"out":{"q":"a"}}},
            {"role":"generator","config":{"inputs":{"type":"REDIS_DATASET"}},
                "work":{"out":{"q":"a"}}},
            {"role":"processor","work":{"in":{"q":"a"}}}]})")
                              .value()
                              .as_object();
        const auto faster = with_rate(text, 400).value();
        const json::array& bees = faster.at("bees").as_array();
        CHECK(
            to_text(bees[0].at("config").at("inputs").at("scheduler")) == R"({"ratePerSec":300})");
        CHECK(
            bees[1].at("config").at("inputs").at("csv").at("ratePerSec").to_number<double>() ==
            100);
        CHECK(bees[2] == text.at("bees").as_array()[2]);
        CHECK(bees[3] == text.at("bees").as_array()[3]);
        const auto fast = parse_json(R"({"bees":[{"role":"generator","config":{"inputs":{
            "scheduler":{"pacing":"UNLIMITED"}}}}]})")
                              .value()
                              .as_object();
        CHECK(
            to_text(with_rate(fast, 5).value().at("bees").at(0).at("config").at("inputs")) ==
            R"({"scheduler":{"ratePerSec":5}})");
        CHECK(with_rate({}, 5).error().code == Errc::invalid);
    }
}
