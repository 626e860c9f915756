#include "kernel/json.hpp"
#include "telemetry/histogram_text.hpp"
#include "tests/system/cli_process.hpp"
#include "tests/system/mock_scene.hpp"

#include <fstream>
#include <vector>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view request = "GET /x HTTP/1.1\r\nHost: m\r\n\r\n";

TimePoint now() {
    return SystemClock{}.now();
}

} // namespace

TEST_CASE("an answer takes its delay, and the mock knows how long it really took") {
    const RunningMock mock{{.usual = {.delay = {.first = 20ms}}}};
    Client client = mock.http();
    for (int i = 0; i < 5; ++i) {
        const TimePoint before = now();
        CHECK(client.get("/x").status == 200);
        const Duration took = now() - before;
        CHECK(took >= 20ms);
        const auto record = mock.server->record();
        CHECK(record.delay.count() == static_cast<std::uint64_t>(i + 1));
        CHECK(record.delay.min_ns() >= 20'000'000);
        // What the client saw contains what the server saw.
        CHECK(Duration{static_cast<Duration::rep>(record.delay.min_ns())} <= took);
    }
}

TEST_CASE("beyond its capacity requests queue up, and each waits for those before it") {
    const RunningMock mock{{.usual = {.delay = {.first = 150ms}}, .capacity = 2}};
    std::vector<Client> clients;
    for (int i = 0; i < 6; ++i) clients.push_back(mock.http());
    const TimePoint before = now();
    for (Client& client : clients) client.send(request);
    for (Client& client : clients) CHECK(client.receive()->status == 200);
    CHECK(now() - before >= 450ms); // three rounds of two
    const auto record = mock.server->record();
    CHECK(record.answered == 6);
    CHECK(record.queued_most >= 1);
    CHECK(record.queued_most <= 4);
}

TEST_CASE("a client that leaves the queue frees its place") {
    const RunningMock mock{{.usual = {.delay = {.first = 50ms}}, .capacity = 1}};
    Client first = mock.http();
    first.send(request);
    mock.until([](const mock::Record& r) { return r.requests == 1; });
    {
        Client gone = mock.http();
        gone.send(request);
        mock.until([](const mock::Record& r) { return r.requests == 2; });
    }
    Client last = mock.http();
    last.send(request);
    CHECK(last.receive()->status == 200);
    CHECK(first.receive()->status == 200);
}

TEST_CASE("in a stall nothing is answered, and afterwards everything is") {
    const RunningMock mock{{.stalls = {{200ms, 600ms}}}};
    Client client = mock.http();
    const TimePoint before = now(); // the mock's own zero comes a little later
    CHECK(client.get("/__mock/reset").status == 204);
    std::this_thread::sleep_for(300ms);
    CHECK(client.get("/x").status == 200);
    CHECK(now() - before >= 800ms);
    CHECK(client.get("/x").status == 200);
}

TEST_CASE("routes have answers of their own, numbered and in turn") {
    mock::Settings settings;
    settings.usual.body = "usual";
    settings.routes = {
        {.path = "/orders",
         .method = "POST",
         .does = {.statuses = {201, 503}, .body = "no {count}"}},
        {.path = "/all/*", .method = {}, .does = {.body = "below"}}};
    const RunningMock mock{settings};
    Client client = mock.http();
    CHECK(client.get("/orders").body == "usual");
    for (const auto& [status, body] :
         {std::pair{201, "no 1"}, std::pair{503, "no 2"}, std::pair{201, "no 3"}}) {
        client.send("POST /orders?x=1 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc");
        const auto answer = client.receive();
        REQUIRE(answer.has_value());
        CHECK(answer->status == status);
        CHECK(answer->body == body);
    }
    CHECK(client.get("/all/of/it").body == "below");
    CHECK(client.get("/all").body == "usual");
}

TEST_CASE("requests sent ahead are answered in order, however they are cut") {
    const RunningMock mock{{.usual = {.body = "{count}", .delay = {.first = 1ms}}}};
    Client client = mock.http();
    std::string all;
    for (int i = 0; i < 20; ++i) all += request;
    for (const char c : all) client.send({&c, 1});
    client.end_sending(); // and still all of them are answered
    std::string got;
    for (std::string more = client.receive_some(); !more.empty(); more = client.receive_some())
        got += more;
    std::size_t at = 0;
    for (int i = 1; i <= 20; ++i) {
        at = got.find(fmt::format("\r\n\r\n{}", i), at);
        REQUIRE(at != got.npos);
    }
}

TEST_CASE("statistics, arrivals and a reset are there to ask for") {
    const RunningMock mock{{.usual = {.delay = {.first = 1ms}}}};
    Client client = mock.http();
    for (int i = 0; i < 10; ++i) client.get("/x");
    const auto stats = parse_json(client.get("/__mock/stats").body);
    REQUIRE(stats.has_value());
    CHECK(stats->at("requests") == 10);
    CHECK(stats->at("byStatus").at("200") == 10);
    CHECK(stats->at("delayUs").at("p50").as_double() >= 1'000);
    const auto histogram =
        telemetry::parse_histogram(std::string_view{stats->at("delayHistogram").as_string()});
    REQUIRE(histogram.has_value());
    CHECK(histogram->count() == 10);
    const std::string arrivals = client.get("/__mock/arrivals").body;
    CHECK(std::ranges::count(arrivals, '\n') == 10);
    CHECK(client.get("/__mock/reset").status == 204);
    CHECK(parse_json(client.get("/__mock/stats").body)->at("requests") == 0);
    CHECK(client.get("/__mock/nothing").status == 404);
}

TEST_CASE("the same seed makes the same faults") {
    const auto statuses = [](std::uint64_t seed) {
        const RunningMock mock{{.usual = {.error_ratio = {0.5}}, .seed = seed}};
        Client client = mock.http();
        std::vector<int> out;
        for (int i = 0; i < 40; ++i) out.push_back(client.get("/x").status);
        return out;
    };
    CHECK(statuses(1) == statuses(1));
    CHECK(statuses(1) != statuses(2));
}

TEST_CASE("several threads serve one port and count together") {
    const RunningMock mock{{.threads = 4}};
    std::vector<Client> clients;
    for (int i = 0; i < 100; ++i) clients.push_back(mock.http());
    for (Client& client : clients) CHECK(client.get("/x").status == 200);
    CHECK(parse_json(clients.front().get("/__mock/stats").body)->at("requests") == 100);
}

TEST_CASE("every request is a line in the log") {
    const tests::ScratchDirectory scratch;
    const std::string path = scratch.path("requests.jsonl");
    {
        auto log = mock::RequestLog::open(path);
        REQUIRE(log.has_value());
        const RunningMock mock{{}, log->get()};
        Client client = mock.http();
        client.get("/first?x=\"1\"");
        client.get("/second");
    }
    std::ifstream file{path};
    std::vector<json::value> lines;
    for (std::string line; std::getline(file, line);) {
        auto parsed = parse_json(line);
        REQUIRE_MESSAGE(parsed.has_value(), line);
        lines.push_back(*std::move(parsed));
    }
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].at("target") == "/first?x=\"1\"");
    CHECK(lines[0].at("status") == 200);
    CHECK(lines[1].at("method") == "GET");
    CHECK_FALSE(mock::RequestLog::open("/nowhere/at/all").has_value());
}
