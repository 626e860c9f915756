// Every mode of a processor and every setting of an item's way, at a bee in a swarm.
#include "bus/dead_letter.hpp"
#include "mock/server.hpp"
#include "tests/system/bees_scene.hpp"
#include "tests/system/call_server.hpp"
#include "tests/system/web_certificates.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

// A processor between the queues `in` and `out`.
std::string processor_with(const std::string& url, const std::string& more = {}) {
    return fmt::format(
        R"({{"bees":[{{"id":"call","role":"processor",
            "work":{{"in":{{"in":"in"}},"out":{{"out":"out"}}}},
            "config":{{"baseUrl":"{}"{}{}}}}}]}})",
        url, more.empty() ? "" : ",", more);
}

std::string header_of(const wire::WorkItem& item, std::string_view name) {
    const auto* found = item.steps.back().headers.find(name);
    return found == nullptr ? "(none)" : found->str();
}

void call(SwarmScene& scene, const std::string& payload, int times = 1) {
    for (int i = 0; i < times; ++i) send(scene, "ph.work.alpha.in", {.payload = payload});
}

wire::WorkItem result_of(SwarmScene& scene, const std::string& payload) {
    call(scene, payload);
    auto items = scene.take("ph.work.alpha.out", 1);
    REQUIRE(items.size() == 1);
    return std::move(items.front());
}

struct Mocked {
    explicit Mocked(mock::Settings settings) {
        if (settings.tcp.empty()) settings.http = 0;
        server = mock::Server::start(settings, clock).value();
    }
    std::string url() const {
        if (server->tcp().empty()) return fmt::format("http://127.0.0.1:{}", *server->http_port());
        return fmt::format("tcp://127.0.0.1:{}", server->tcp().front().port);
    }
    SystemClock clock{};
    std::unique_ptr<mock::Server> server;
};

constexpr std::string_view any_request = R"({"path":"/"})";

} // namespace

TEST_SUITE("modes of bees") {
    TEST_CASE("a processor with a rate never calls faster, however much waits") {
        const Mocked mock{{}};
        SwarmScene scene;
        run(scene, "alpha",
            processor_with(
                mock.url(), R"("mode":"RATE_PER_SEC","ratePerSec":100,"threadCount":50)"));
        call(scene, std::string{any_request}, 50);
        CHECK(scene.take("ph.work.alpha.out", 50).size() == 50);
        auto arrivals = mock.server->record().arrivals;
        std::ranges::sort(arrivals);
        REQUIRE(arrivals.size() == 50);
        // Sending them here takes time too; what counts is that no second saw more than its share.
        for (std::size_t i = 0; i + 25 < arrivals.size(); ++i) {
            CHECK(arrivals[i + 25] - arrivals[i] > 200ms);
        }
        const auto stopped = scene.configure(
            {.swarm = swarm_id("alpha"), .role = Role::parse("processor").value()},
            {{"ratePerSec", 0}});
        CHECK(stopped.status == wire::OutcomeStatus::applied);
        call(scene, std::string{any_request}, 3);
        CHECK(scene.eventually([&] {
            return scene.spy().alerts("io.backpressure").size() ==
                   1; // it says that it stands still
        }));
        CHECK(mock.server->record().requests == 50);
    }

    TEST_CASE("connections are shared, kept by each caller, or never used twice") {
        const auto connections = [](const std::string& mode, int threads) {
            const Mocked mock{{}};
            SwarmScene scene;
            run(scene, "alpha",
                processor_with(
                    mock.url(),
                    fmt::format(R"("connectionReuse":"{}","threadCount":{})", mode, threads)));
            call(scene, std::string{any_request}, 12);
            CHECK(scene.take("ph.work.alpha.out", 12).size() == 12);
            return mock.server->record().connections;
        };
        CHECK(connections("GLOBAL", 1) == 1);
        CHECK(connections("PER_THREAD", 1) == 1);
        CHECK(connections("PER_THREAD", 3) <= 3);
        CHECK(connections("NONE", 1) == 12);
    }

    TEST_CASE("a processor trusts the authority it is given, and says why it does not trust") {
        const test::WebCertificate certificate{{}};
        const test::ScriptedServer server{
            [](test::Peer& peer) {
                if (!peer.shake_hands()) return;
                while (!peer.read_request().empty()) peer.send(test::ok("secret"));
            },
            test::server_tls(certificate.file(), certificate.key_file())};
        const auto asked = [&](const std::string& more) {
            SwarmScene scene;
            run(scene, "alpha", processor_with(server.url("https", "localhost"), more));
            return result_of(scene, std::string{any_request});
        };
        const auto trusted = asked(fmt::format(R"("tls":{{"caFile":"{}"}})", certificate.file()));
        CHECK(header_of(trusted, "x-ph-processor-status") == "200");
        CHECK(trusted.payload().find("secret") != std::string_view::npos);
        const auto strange = asked("");
        CHECK(header_of(strange, "x-ph-processor-success") == "false");
        CHECK(header_of(strange, "x-ph-processor-error").find("tls") != std::string::npos);
        CHECK(header_of(asked(R"("sslVerify":false)"), "x-ph-processor-status") == "200");
    }

    TEST_CASE("every framing over TCP brings the answer back whole") {
        using mock::Framing;
        struct Way {
            Framing theirs;
            std::string ours;
        };
        for (const Way& way :
             {Way{Framing::delimiter, R"("framing":"DELIMITER","endTag":"\n")"},
              Way{Framing::stx_etx, R"("framing":"STX_ETX")"},
              Way{Framing::length_2, R"("framing":"LENGTH_PREFIX_2B")"},
              Way{Framing::length_4, R"("framing":"LENGTH_PREFIX_4B")"},
              Way{Framing::echo, R"("framing":"FIXED_LENGTH","length":8)"},
              Way{Framing::echo, R"("behavior":"ECHO")"}}) {
            CAPTURE(way.ours);
            mock::Settings settings;
            settings.tcp.push_back({.port = 0, .framing = way.theirs});
            const Mocked mock{settings};
            SwarmScene scene;
            run(scene, "alpha",
                processor_with(mock.url(), fmt::format(R"("tcpTransport":{{{}}})", way.ours)));
            const auto item = result_of(scene, "12345678");
            CHECK(header_of(item, "x-ph-processor-success") == "true");
            CHECK(item.payload().find("12345678") != std::string_view::npos);
        }
    }

    TEST_CASE("redirects are followed as often as it is allowed, and not by default") {
        test::WebServer server{[](const http::Request& request) -> http::Response {
            if (request.path == "/end") return test::text_answer("there");
            auto answer = test::text_answer("", 302);
            answer.headers.add("Location", request.path == "/far" ? "/near" : "/end");
            return answer;
        }};
        const auto status = [&](const std::string& path, int most) {
            SwarmScene scene;
            run(scene, "alpha",
                processor_with(server.url(""), fmt::format(R"("maxRedirects":{})", most)));
            const auto item = result_of(scene, fmt::format(R"({{"path":"{}"}})", path));
            return header_of(item, "x-ph-processor-status") +
                   (header_of(item, "x-ph-processor-success") == "true" ? "" : " failed");
        };
        CHECK(status("/near", 0) == "302");
        CHECK(status("/near", 1) == "200");
        CHECK(status("/far", 2) == "200");
        CHECK(status("/far", 1) != "200");
    }

    TEST_CASE("an item carries as much of its past as its bees are told") {
        const auto steps = [](const std::string& policy) {
            SwarmScene scene;
            std::string bees;
            for (int i = 1; i <= 3; ++i) {
                bees += fmt::format(
                    R"({}{{"id":"b{}","role":"echo","work":{{"in":{{"in":"{}"}},
                        "out":{{"out":"{}"}}}},"config":{{"text":".{}",{}}}}})",
                    i == 1 ? "" : ",", i, i == 1 ? "in" : fmt::format("q{}", i),
                    i == 3 ? "out" : fmt::format("q{}", i + 1), i, policy);
            }
            run(scene, "alpha", fmt::format(R"({{"bees":[{}]}})", bees));
            return result_of(scene, "x").steps.size();
        };
        CHECK(steps(R"("historyPolicy":"FULL")") == 4);
        CHECK(steps(R"("historyPolicy":"LATEST_ONLY")") == 1);
        CHECK(steps(R"("historyPolicy":"BOUNDED","historySteps":2)") == 2);
    }

    TEST_CASE("an item is tried as often as its bee is told, then it is a dead letter") {
        SwarmScene scene;
        run(scene, "alpha", R"({"bees":[{"id":"m","role":"moderator",
            "work":{"in":{"in":"in"},"out":{"out":"out"}},
            "config":{"inputs":{"rabbit":{"maxAttempts":5}},
                "interceptors":{"templating":{"template":"{{ 1 / (payload - 3) }}"}}}}]})");
        call(scene, "3");
        const auto dead = scene.take("ph.work.alpha.in.dead", 1);
        REQUIRE(dead.size() == 1);
        CHECK(dead[0].headers.find(bus::attempts_header)->str() == "5");
        CHECK(scene.eventually([&] {
            const auto said = scene.spy().work_of("alpha-moderator-1");
            return said.contains("failed") && said.at("failed") == 5 && said.at("deadLetters") == 1;
        }));
    }
}
