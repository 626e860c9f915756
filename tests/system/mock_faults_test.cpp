#include "tests/system/mock_scene.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <vector>

using namespace hive;
using namespace hive::mock;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view request = "GET /x HTTP/1.1\r\nHost: m\r\n\r\n";

std::uint64_t count_of(const Record& record, Fault fault) {
    return record.by_fault[static_cast<std::size_t>(fault)];
}

std::string all_from(Client& client) {
    std::string got;
    for (std::string more = client.receive_some(); !more.empty(); more = client.receive_some())
        got += more;
    return got;
}

} // namespace

TEST_CASE("a reset is a reset, not an end") {
    const RunningMock mock{{.usual = {.reset_ratio = {1}}}};
    const Client client = mock.http();
    const int fd = client.descriptor();
    REQUIRE(::send(fd, request.data(), request.size(), MSG_NOSIGNAL) > 0);
    pollfd ready{.fd = fd, .events = POLLIN, .revents = 0};
    REQUIRE(::poll(&ready, 1, 10'000) == 1);
    std::array<char, 64> buffer{};
    CHECK(::recv(fd, buffer.data(), buffer.size(), 0) == -1);
    CHECK(errno == ECONNRESET);
    CHECK(count_of(mock.server->record(), Fault::reset) == 1);
}

TEST_CASE("a silent request is never answered, and the others are") {
    Settings settings;
    settings.routes = {{.path = "/silent", .method = {}, .does = {.silent_ratio = {1}}}};
    const RunningMock mock{settings};
    Client silent = mock.http();
    silent.send("GET /silent HTTP/1.1\r\n\r\n");
    mock.until([](const Record& r) { return count_of(r, Fault::silent) == 1; });
    Client other = mock.http();
    CHECK(other.get("/x").status == 200);
    pollfd ready{.fd = silent.descriptor(), .events = POLLIN, .revents = 0};
    CHECK(::poll(&ready, 1, 100) == 0);
    CHECK(mock.server->record().answered == 1);
}

TEST_CASE("a truncated answer ends too early and a lying one too late") {
    {
        const RunningMock mock{{.usual = {.body = "0123456789", .truncate_ratio = {1}}}};
        Client client = mock.http();
        client.send(request);
        const std::string got = all_from(client);
        CHECK(got.find("Content-Length: 11\r\n") != got.npos);
        CHECK(got.ends_with("\r\n\r\n01234"));
    }
    const RunningMock mock{{.usual = {.body = "0123456789", .lie_ratio = {1}}}};
    Client client = mock.http();
    client.send(request);
    const auto answer = client.receive();
    REQUIRE(answer.has_value());
    CHECK(answer->body == "01234");
    CHECK(client.receive_exactly(5) == "56789");
}

TEST_CASE("what is no request is refused and the connection ends, also while more is coming") {
    const struct {
        std::string text;
        int status;
    } rows[] = {
        {"NONSENSE\r\n\r\n", 400},
        {"\x16\x03\x01\x02", 400},
        {"GET / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413},
        {"GET / HTTP/1.1\r\n" + std::string(20'000, 'a'), 431},
        {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", 501},
    };
    const RunningMock mock{{}};
    for (const auto& row : rows) {
        CAPTURE(row.text.substr(0, 40));
        Client client = mock.http();
        client.send(row.text);
        const auto answer = client.receive();
        REQUIRE(answer.has_value());
        CHECK(answer->status == row.status);
        CHECK(client.closed_by_server());
    }
    const Record record = mock.server->record();
    CHECK(record.malformed == std::size(rows));
    CHECK(record.requests == 0);
}

TEST_CASE("who never stops sending is cut off, and so is who sends nothing but noise") {
    const RunningMock mock{{}};
    Client client = mock.http();
    client.send("NONSENSE\r\n\r\n");
    const std::string noise(64 * 1'024, 'x');
    bool cut = false;
    for (int i = 0; i < 10'000 && !cut; ++i) cut = !client.try_send(noise);
    CHECK(cut);
    Client other = mock.http();
    CHECK(other.get("/x").status == 200);
}

TEST_CASE("large bodies are read and thrown away, with or without asking first") {
    const RunningMock mock{{}};
    Client client = mock.http();
    client.send("POST / HTTP/1.1\r\nContent-Length: 3000000\r\nExpect: 100-continue\r\n\r\n");
    CHECK(client.receive_exactly(25) == "HTTP/1.1 100 Continue\r\n\r\n");
    const std::string block(100'000, 'x');
    for (int i = 0; i < 30; ++i) client.send(block);
    CHECK(client.receive()->status == 200);
    CHECK(client.get("/x").status == 200);
    CHECK(mock.server->record().requests == 2);
}

TEST_CASE("more clients than allowed are turned away") {
    const RunningMock mock{{.connections_max = 2}};
    Client one = mock.http();
    Client two = mock.http();
    CHECK(one.get("/x").status == 200);
    CHECK(two.get("/x").status == 200);
    Client three = mock.http();
    CHECK(three.closed_by_server());
    CHECK(mock.server->record().refused == 1);
}

TEST_CASE("messages come back in the frame they came in") {
    for (const auto& named : names_of(Framing::echo)) {
        CAPTURE(named.name);
        const RunningMock mock{{.tcp = {{0, named.value}}}};
        Client client = mock.tcp();
        std::string sent;
        append_frame(named.value, "ping", sent);
        append_frame(named.value, "a longer message", sent);
        for (const char c : sent) client.send({&c, 1});
        CHECK(client.receive_exactly(sent.size()) == sent);
        client.send(sent + sent);
        CHECK(client.receive_exactly(sent.size() * 2) == sent + sent);
        client.end_sending();
        CHECK(client.closed_by_server());
    }
}

TEST_CASE("a message has the answer, delay and faults it is told to have") {
    const RunningMock mock{
        {.tcp = {{0, Framing::length_2}}, .usual = {.delay = {.first = 10ms}}, .tcp_body = "pong"}};
    Client client = mock.tcp();
    client.send(std::string_view{"\0\4ping", 6});
    CHECK(client.receive_exactly(6) == std::string_view{"\0\4pong", 6});
    CHECK(mock.server->record().delay.min_ns() >= 10'000'000);
    const RunningMock cut{{.tcp = {{0, Framing::delimiter}}, .usual = {.truncate_ratio = {1}}}};
    Client half = cut.tcp();
    half.send("12345678\n");
    CHECK(all_from(half) == "1234");
    const RunningMock plain{{.tcp = {{0, Framing::delimiter}}, .usual = {.error_ratio = {1}}}};
    Client fine = plain.tcp();
    fine.send("ping\n");
    CHECK(fine.receive_exactly(5) == "ping\n");
    CHECK(count_of(plain.server->record(), Fault::error) == 0);
    const RunningMock strict{{.tcp = {{0, Framing::stx_etx}}}};
    Client wrong = strict.tcp();
    wrong.send("no STX");
    CHECK(wrong.closed_by_server());
    CHECK(strict.server->record().malformed == 1);
}
