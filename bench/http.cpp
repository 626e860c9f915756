// Many connections: `build/bench/http idle` prints what one costs that does nothing,
// `build/bench/http fanout` how long an event takes to all of them. bench/http.sh runs both, beside
// requests per second of the program itself and of nginx.
#include "api/api.hpp"
#include "api/event_socket.hpp"
#include "api/http/server.hpp"
#include "api/system_routes.hpp"
#include "api/ws/frame.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace hive;
using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

[[noreturn]] void die(const std::string& why) {
    std::fprintf(stderr, "bench: %s\n", why.c_str());
    std::exit(1);
}

// One key, compared as a cache would: by its text.
class OneKey final : public api::Authenticator {
public:
    http::Eventually<api::Authentication>
    authenticate(const api::Credentials& credentials, const http::Request&) override {
        if (credentials.bearer == "bench-key" || credentials.ticket == "bench-key") {
            return api::Authentication{who_};
        }
        return api::Authentication{tl::unexpected{
            api::Problem{.status = 401, .code = "bad-key", .detail = "no such key"}}};
    }

private:
    api::Identity who_ = std::make_shared<const api::Principal>(
        api::Principal{"bench", api::Role::admin, accounts::Scopes::of(api::Role::admin)});
};

api::Route small_get() {
    return {
        .path = "/api/v1/items/{itemId:id}",
        .id = "getItem",
        .summary = "A small answer",
        .tag = "bench",
        .access = api::Access::needs(api::Area::tasks, api::Level::read),
        .handler = api::SyncHandler{[](const api::Call& call) {
            return http::Response{
                .content_type = api::json_type,
                .body = fmt::format(
                    R"({{"id":"{}","name":"cell","state":"pending","priority":2}})",
                    call.path("itemId"))};
        }},
        .answers = {{200, "It"}}};
}

// The server as the program will run it: routes, access rules, metrics, events.
struct BenchServer {
    BenchServer() {
        std::vector<api::Route> routes;
        routes.push_back(small_get());
        routes.push_back(api::event_socket_route(
            {.hub = hub,
             .may_hear = [](const api::Principal*, std::string_view) { return true; },
             .limits = {.ping_after = 1h}}, // connecting 10,000 clients takes a while
            api::Access::signed_in()));
        auto table = api::compile_api(
            {.routes = std::move(routes), .info = {"Bench", "1"}},
            {health, metrics, std::make_shared<std::string>()});
        if (!table) die(table.error().detail);
        api = std::make_unique<api::Api>(
            std::move(*table), api::ApiParts{.authenticator = &keys, .metrics = &metrics});
        http::ServerOptions options{.listen = {{.address = "127.0.0.1:0"}}, .threads = 2};
        options.limits.connections_per_peer = options.limits.connections;
        options.limits.requests_per_connection = SIZE_MAX;
        auto started = http::Server::start(std::move(options), *api);
        if (!started) die(started.error().detail);
        server = std::move(*started);
        hub.serve_on(server->executors());
    }
    ~BenchServer() {
        server->shut_down(Duration::zero());
        hub.stop_serving();
    }

    OneKey keys;
    api::MetricRegistry metrics;
    api::Health health;
    api::EventHub hub;
    std::unique_ptr<api::Api> api;
    std::unique_ptr<http::Server> server;
};

// A child that serves until it is told to end, so that memory is measured without the clients'.
class ServerProcess {
public:
    explicit ServerProcess(const std::function<void(BenchServer&, int commands, int news)>& body) {
        int commands[2];
        int news[2];
        if (::pipe(commands) != 0 || ::pipe(news) != 0) die("pipe");
        pid_ = ::fork();
        if (pid_ < 0) die("fork");
        if (pid_ == 0) {
            ::close(commands[1]);
            ::close(news[0]);
            BenchServer server;
            const std::string address = server.server->addresses().front() + "\n";
            if (::write(news[1], address.data(), address.size()) < 0) std::_Exit(1);
            body(server, commands[0], news[1]);
            std::_Exit(0);
        }
        ::close(commands[0]);
        ::close(news[1]);
        commands_ = commands[1];
        news_ = news[0];
        const std::string address = read_line();
        port_ = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
    }
    ~ServerProcess() {
        ::close(commands_);
        ::waitpid(pid_, nullptr, 0);
    }

    std::string read_line() const {
        std::string line;
        for (char c = 0; ::read(news_, &c, 1) == 1 && c != '\n';) line += c;
        return line;
    }
    void command() const {
        if (::write(commands_, "x", 1) != 1) die("the server is gone");
    }
    int connect() const {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port_);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
        if (fd < 0 || ::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) {
            die(fmt::format("connect: {}", std::strerror(errno)));
        }
        return fd;
    }
    std::size_t resident_bytes() const {
        std::ifstream status{fmt::format("/proc/{}/statm", pid_)};
        std::size_t total = 0;
        std::size_t resident = 0;
        status >> total >> resident;
        return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    }

private:
    pid_t pid_ = -1;
    int commands_ = -1;
    int news_ = -1;
    std::uint16_t port_ = 0;
};

void say(int fd, std::string_view text) {
    if (::send(fd, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size())) {
        die("send");
    }
}

void expect(int fd, std::string_view part) {
    std::string got;
    char buffer[4096];
    while (got.find(part) == got.npos) {
        pollfd entry{fd, POLLIN, 0};
        if (::poll(&entry, 1, 30'000) <= 0) die("the server is silent");
        const ssize_t count = ::recv(fd, buffer, sizeof buffer, 0);
        if (count <= 0) die("the server hung up: " + got);
        got.append(buffer, static_cast<std::size_t>(count));
    }
}

void allow_many_files() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    // Each side has a process, and a descriptor per connection.
    if (limit.rlim_cur < 10'100) die("needs 10100 open files; raise `ulimit -n`");
}

void measure_idle(std::size_t connections) {
    const ServerProcess server{[](BenchServer&, int commands, int) {
        char c = 0;
        while (::read(commands, &c, 1) == 1) {
        }
    }};
    const std::string get = "GET /api/v1/items/i1 HTTP/1.1\r\nHost: h\r\n"
                            "Authorization: Bearer bench-key\r\n\r\n";
    const int first = server.connect();
    say(first, get);
    expect(first, "pending");
    const std::size_t before = server.resident_bytes();
    for (std::size_t i = 0; i < connections; ++i) {
        const int fd = server.connect();
        say(fd, get);
        expect(fd, "pending");
    }
    const std::size_t grown = server.resident_bytes() - before;
    fmt::print(
        "idle keep-alive connections: {}; {:.1f} kB each (demanded: below 20)\n", connections,
        static_cast<double>(grown) / 1000.0 / static_cast<double>(connections));
}

int subscriber(const ServerProcess& server) {
    const int fd = server.connect();
    say(fd, "GET /ws?token=bench-key HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    expect(fd, "welcome");
    constexpr std::string_view request = R"({"op":"subscribe","topics":["news.#"]})";
    std::string frame;
    ws::append_frame(frame, ws::Opcode::text, request);
    frame[1] = static_cast<char>(static_cast<unsigned char>(frame[1]) | 0x80U);
    frame.insert(2, 4, '\0'); // a mask of zeros changes nothing
    say(fd, frame);
    expect(fd, "subscribed");
    return fd;
}

// From publish() until the last subscriber has the whole event, `rounds` times.
void measure_fanout(std::size_t subscribers, std::size_t rounds) {
    const ServerProcess server{[](BenchServer& bench, int commands, int) {
        char c = 0;
        while (::read(commands, &c, 1) == 1) {
            bench.hub.publish("news.today", R"({"id":"t1","state":"claimed","by":"bee-1"})");
        }
    }};
    const std::size_t before = server.resident_bytes();
    const int epoll = ::epoll_create1(0);
    for (std::size_t i = 0; i < subscribers; ++i) {
        epoll_event entry{.events = EPOLLIN, .data = {.fd = subscriber(server)}};
        ::epoll_ctl(epoll, EPOLL_CTL_ADD, entry.data.fd, &entry);
    }
    const std::size_t grown = server.resident_bytes() - before;
    std::vector<double> last_ms;
    std::vector<epoll_event> ready(1024);
    for (std::size_t round = 0; round < rounds; ++round) {
        std::size_t waiting = subscribers;
        const auto began = Steady::now();
        server.command();
        while (waiting > 0) {
            const int count =
                ::epoll_wait(epoll, ready.data(), static_cast<int>(ready.size()), 30'000);
            if (count <= 0) die("an event did not arrive");
            for (int i = 0; i < count; ++i) {
                char buffer[4096];
                const auto got =
                    ::recv(ready[static_cast<std::size_t>(i)].data.fd, buffer, sizeof buffer, 0);
                // One event is one small frame: it comes in one piece, and ends in a brace.
                if (got <= 0 || buffer[got - 1] != '}') die("a subscriber was dropped");
                --waiting;
            }
        }
        last_ms.push_back(std::chrono::duration<double, std::milli>(Steady::now() - began).count());
    }
    std::ranges::sort(last_ms);
    const auto at = [&](double share) {
        return last_ms[static_cast<std::size_t>(share * static_cast<double>(last_ms.size() - 1))];
    };
    fmt::print(
        "event to {} WebSocket subscribers, {} rounds, time until the last one has it: "
        "p50 {:.1f} ms, p99 {:.1f} ms (demanded: below 100), worst {:.1f} ms\n",
        subscribers, rounds, at(0.5), at(0.99), last_ms.back());
    fmt::print(
        "memory per WebSocket subscriber: {:.1f} kB\n",
        static_cast<double>(grown) / 1000.0 / static_cast<double>(subscribers));
}

} // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    allow_many_files();
    if (what == "idle" || what.empty()) measure_idle(10'000);
    if (what == "fanout" || what.empty()) measure_fanout(10'000, 100);
    return 0;
}
