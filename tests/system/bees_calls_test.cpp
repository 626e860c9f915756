#include "mock/server.hpp"
#include "tests/system/bees_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::tests;

namespace {

std::string builder_and_processor(const std::string& root, const std::string& url) {
    return fmt::format(
        R"({{"bees":[
        {{"id":"build","role":"request-builder",
          "work":{{"in":{{"in":"in"}},"out":{{"out":"calls"}}}},
          "config":{{"templateRoot":"{}","serviceId":"shop",
                     "passThroughOnMissingTemplate":false}}}},
        {{"id":"call","role":"processor",
          "work":{{"in":{{"in":"calls"}},"out":{{"out":"answers"}}}},
          "config":{{"baseUrl":"{}"}}}},
        {{"id":"post","role":"postprocessor",
          "work":{{"in":{{"in":"answers"}},"out":{{"out":"out"}}}},
          "config":{{"forwardToOutput":true}}}}]}})",
        root, url);
}

std::string header_of(const wire::WorkItem& item, std::string_view name) {
    const auto* found = item.steps.back().headers.find(name);
    return found == nullptr ? "(none)" : found->str();
}

} // namespace

TEST_SUITE("bees that call") {
    TEST_CASE(
        "templates become requests, answers are judged by their rules, all of it is counted") {
        test::WebServer shop{[](const http::Request& request) -> http::Response {
            if (request.path == "/buy/no") return test::text_answer(R"({"code":"51"})");
            return test::text_answer(fmt::format(R"({{"code":"00","got":"{}"}})", request.body));
        }};
        ScratchDirectory scratch;
        write_file(scratch.path() / "shop" / "buy.yaml", R"~(
method: POST
pathTemplate: /buy/{{ payloadAsJson.id }}
bodyTemplate: card={{ payloadAsJson.card }}
resultRules:
  businessCode: {source: RESPONSE_BODY, pattern: '"code":"(\w+)"'}
  successRegex: "00"
  dimensions:
    - {name: Card Type, source: REQUEST_BODY, pattern: 'card=(\w+)'}
)~");
        write_file(scratch.path() / "shop" / "look.yaml", "pathTemplate: /look\n");
        SwarmScene scene;
        run(scene, "alpha", builder_and_processor(scratch.path().string(), shop.url("")));

        send(scene, "ph.work.alpha.in", {R"({"id":"yes","card":"VISA"})", "", "buy"});
        send(scene, "ph.work.alpha.in", {R"({"id":"no","card":"VISA"})", "", "buy"});
        send(scene, "ph.work.alpha.in", {"{}", "shop", "look"});
        send(scene, "ph.work.alpha.in", {"{}", "shop", ""}); // two calls: which one?
        send(scene, "ph.work.alpha.in", {"{}", "bank", "buy"});

        auto items = scene.take("ph.work.alpha.out", 3);
        REQUIRE(items.size() == 3);
        std::ranges::sort(items, {}, [](const auto& item) { return item.trace_id; });
        const auto& no = items[0];
        const auto& yes = items[1];
        const auto& look = items[2];
        CHECK(header_of(yes, "x-ph-business-code") == "00");
        CHECK(header_of(yes, "x-ph-business-success") == "true");
        CHECK(header_of(yes, "x-ph-dim-card-type") == "VISA");
        CHECK(yes.payload().find("card=VISA") != std::string_view::npos);
        CHECK(header_of(no, "x-ph-processor-success") == "true");
        CHECK(header_of(no, "x-ph-business-code") == "51");
        CHECK(header_of(no, "x-ph-business-success") == "false");
        CHECK(header_of(look, "x-ph-business-code") == "(none)");

        CHECK(scene.eventually([&] {
            const auto work = scene.spy().work_of("alpha-postprocessor-1");
            return work.contains("transactions") && work.at("transactions").to_number<int>() == 3;
        }));
        const auto measured = scene.spy().work_of("alpha-postprocessor-1");
        CHECK(measured.at("failed").to_number<int>() == 1);
        CHECK(measured.at("calls").at("buy").at("failed").to_number<int>() == 1);
        CHECK(measured.at("dimensions").at("card-type=VISA").at("total").to_number<int>() == 2);
        CHECK(scene.eventually([&] {
            const auto work = scene.spy().work_of("alpha-request-builder-1");
            return work.contains("errorCount") && work.at("errorCount").to_number<int>() == 2;
        }));
        const auto built = scene.spy().work_of("alpha-request-builder-1");
        CHECK(built.at("templates").to_number<int>() == 2);
        CHECK(built.contains("errorTps"));
        CHECK(scene.spy().violations().empty());
    }
    TEST_CASE("a template over TCP says itself how its answer ends") {
        SystemClock clock;
        mock::Settings settings;
        settings.tcp.push_back({.port = 0, .framing = mock::Framing::delimiter});
        auto server = mock::Server::start(settings, clock).value();
        ScratchDirectory scratch;
        write_file(scratch.path() / "shop" / "pay.yaml", R"~(
protocol: TCP
endTag: "\n"
bodyTemplate: PAY {{ payload }}
resultRules:
  businessCode: {source: RESPONSE_BODY, pattern: 'PAY (\d+)'}
)~");
        SwarmScene scene;
        run(scene, "alpha",
            builder_and_processor(
                scratch.path().string(),
                fmt::format("tcp://127.0.0.1:{}", server->tcp().front().port)));
        send(scene, "ph.work.alpha.in", {"42", "", ""});
        const auto items = scene.take("ph.work.alpha.out", 1);
        REQUIRE(items.size() == 1);
        CHECK(header_of(items.front(), "x-ph-processor-success") == "true");
        CHECK(header_of(items.front(), "x-ph-business-code") == "42");
    }
    TEST_CASE("a data provider is a generator by another name") {
        SwarmScene scene;
        run(scene, "alpha", R"({"bees":[{"id":"d","role":"data-provider",
            "work":{"out":{"out":"out"}},
            "config":{"inputs":{"scheduler":{"ratePerSec":100}},
                      "message":{"bodyType":"SIMPLE","body":"n{{ headers['x-ph-seq'] }}"}}}]})");
        const auto items = scene.take("ph.work.alpha.out", 2);
        REQUIRE(items.size() == 2);
        CHECK(items[1].payload() == "n2");
        CHECK(items[1].steps.back().by == wire::Stamp{"data-provider", "alpha-data-provider-1"});
    }
    TEST_CASE("templates that cannot be used fail the creation and say all that is wrong") {
        ScratchDirectory scratch;
        write_file(scratch.path() / "shop" / "a.yaml", "pathTemplate: '{{ nope() }}'\n");
        write_file(scratch.path() / "shop" / "b.yaml", "metod: GET\n");
        SwarmScene scene;
        const auto ended = scene.create(
            "alpha",
            scenario(builder_and_processor(scratch.path().string(), "http://127.0.0.1:1")));
        CHECK(ended.status != wire::OutcomeStatus::ready);
        CHECK_MESSAGE(ended.reason.find("shop/a.yaml") != std::string::npos, ended.reason);
        CHECK_MESSAGE(ended.reason.find("shop/b.yaml") != std::string::npos, ended.reason);
    }
}
