// A colony as large as it gets: what the real server needs for many tasks, how fast it finds work
// among them, and how soon an event is with one subscriber and with thousands. Everything goes
// through the API, on SQLite.
//   build/bench/colony [tasks, 1000000] [subscribers, 10000] [rounds, 200]
#include "kernel/json.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/places.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/system/http_client.hpp"
#include "tests/system/http_ws_client.hpp"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

constexpr std::size_t bulk = 1000;

double since(Steady::time_point begin) {
    return std::chrono::duration<double, std::milli>(Steady::now() - begin).count();
}

void print(const std::string& what, std::vector<double> ms) {
    std::ranges::sort(ms);
    const auto at = [&](double part) {
        return ms.at(static_cast<std::size_t>(part * static_cast<double>(ms.size() - 1)));
    };
    fmt::print(
        "{:<46} p50 {:8.2f}   p99 {:8.2f}   max {:8.2f} ms\n", what, at(0.5), at(0.99), ms.back());
    std::fflush(stdout);
}

class Server {
public:
    explicit Server(const std::filesystem::path& home)
        : output_{(home / "out").string()}, data_{(home / "data").string()} {
        const auto made = tests::run(
            {.argv =
                 {tests::hive_program(), "key", "create", "--role", "admin", "--owner", "bench",
                  "--data", data_, "--json"}},
            30s);
        key_ = parse_json(made.output).value().at("key").as_string();
        pid_ = tests::spawn(
            {.argv =
                 {tests::hive_program(), "serve", "--port", "0", "--data", data_, "--json",
                  "--auth-requests-per-minute", "default=0", "--auth-requests-per-minute",
                  "events=0", "--http-connections-per-peer", "20000", "--log-level", "warn"},
             .output = output_});
        address_ = await_address();
        client_.emplace(Client::tcp(address_));
    }
    ~Server() {
        ::kill(pid_, SIGTERM);
        tests::wait_for_exit(pid_, 60s);
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    json::value
    ask(std::string_view method, const std::string& path, const json::value& body = {}) {
        const std::string text = body.is_null() ? std::string{} : to_text(body);
        client_->send(fmt::format(
            "{} {} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {}\r\n"
            "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
            method, path, key_, text.size(), text));
        const auto answer = client_->receive();
        if (!answer || answer->status / 100 != 2) {
            throw std::runtime_error{path + ": " + (answer ? answer->body : "hung up")};
        }
        return parse_json(answer->body, {.bytes = 100'000'000}).value();
    }
    WsClient subscriber() const {
        WsClient client{Client::tcp(address_), "/ws?token=" + key_};
        client.receive_text(); // welcome
        client.text(R"({"op":"subscribe","topics":["task.created.#"]})");
        client.receive_text(); // subscribed
        return client;
    }

    double resident_megabytes() const {
        std::ifstream file{fmt::format("/proc/{}/statm", pid_)};
        double all = 0;
        double resident = 0;
        file >> all >> resident;
        return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
    }
    double stored_megabytes() const {
        double bytes = 0;
        for (const auto& entry : std::filesystem::directory_iterator{data_}) {
            if (entry.is_regular_file()) bytes += static_cast<double>(entry.file_size());
        }
        return bytes / 1e6;
    }

private:
    std::string await_address() const {
        const auto end = Steady::now() + 60s;
        for (std::string line; Steady::now() < end; std::this_thread::sleep_for(5ms)) {
            std::ifstream file{output_};
            if (!std::getline(file, line) || !line.ends_with('}')) continue;
            const std::string url{parse_json(line).value().at("url").as_string()};
            return url.substr(url.find("//") + 2);
        }
        throw std::runtime_error{"the server did not start; see " + output_};
    }

    std::string output_;
    std::string data_;
    std::string key_;
    std::string address_;
    pid_t pid_ = 0;
    std::optional<Client> client_;
};

void say_memory(const Server& server, std::size_t tasks) {
    fmt::print(
        "{:>9} tasks: {:7.1f} MB resident, {:8.1f} MB on disk\n", tasks,
        server.resident_megabytes(), server.stored_megabytes());
    std::fflush(stdout);
}

void fill(Server& server, std::size_t from, std::size_t to) {
    const auto began = Steady::now();
    for (std::size_t made = from; made < to;) {
        json::array tasks;
        for (std::size_t i = 0; i < bulk && made < to; ++i, ++made) {
            tasks.push_back(
                {{"title", fmt::format("Measure part {} of the checkout", made)},
                 {"priority", made % 5},
                 {"tags", {fmt::format("part-{}", made % 100)}}});
        }
        server.ask("POST", "/api/v1/tasks/bulk", json::object{{"tasks", std::move(tasks)}});
    }
    const double seconds = since(began) / 1000;
    fmt::print("          {:.0f} tasks/s in bulk\n", static_cast<double>(to - from) / seconds);
    say_memory(server, to);
}

void measure_reading(Server& server, std::size_t rounds, const std::string& path) {
    std::vector<double> ms;
    for (std::size_t i = 0; i < rounds; ++i) {
        const auto began = Steady::now();
        server.ask("GET", path);
        ms.push_back(since(began));
    }
    print("GET " + path, std::move(ms));
}

void measure_work(Server& server, std::size_t rounds) {
    std::vector<double> claim;
    std::vector<double> complete;
    std::vector<double> create;
    for (std::size_t i = 0; i < rounds; ++i) {
        auto began = Steady::now();
        const auto got = server.ask("POST", "/api/v1/tasks/claim-next", json::object{});
        claim.push_back(since(began));
        const auto& task = got.at("items").at(0);
        const std::string id{task.at("id").as_string()};
        began = Steady::now();
        server.ask(
            "POST", "/api/v1/tasks/" + id + "/complete",
            json::object{{"token", task.at("lease").at("token")}});
        complete.push_back(since(began));
        began = Steady::now();
        server.ask("POST", "/api/v1/tasks", json::object{{"title", "one more"}});
        create.push_back(since(began));
    }
    print("claim-next", std::move(claim));
    print("complete", std::move(complete));
    print("create", std::move(create));
}

// From the moment the request for a task is sent until a subscriber has the whole event: that of
// each by itself, and that of the last of them.
void measure_push(Server& server, std::size_t subscribers, std::size_t rounds) {
    const double before = server.resident_megabytes();
    const int epoll = ::epoll_create1(0);
    std::vector<WsClient> all;
    for (std::size_t i = 0; i < subscribers; ++i) {
        all.push_back(server.subscriber());
        epoll_event entry{.events = EPOLLIN, .data = {.fd = all.back().raw().descriptor()}};
        ::epoll_ctl(epoll, EPOLL_CTL_ADD, entry.data.fd, &entry);
    }
    const double grown = server.resident_megabytes() - before;
    std::vector<double> each;
    std::vector<double> last;
    std::vector<epoll_event> ready(1024);
    for (std::size_t round = 0; round < rounds; ++round) {
        const auto began = Steady::now();
        std::jthread asking{
            [&] { server.ask("POST", "/api/v1/tasks", json::object{{"title", "news"}}); }};
        for (std::size_t waiting = subscribers; waiting > 0;) {
            const int count =
                ::epoll_wait(epoll, ready.data(), static_cast<int>(ready.size()), 60'000);
            if (count <= 0) throw std::runtime_error{"an event did not arrive"};
            for (int i = 0; i < count; ++i) {
                char buffer[8192];
                const int fd = ready[static_cast<std::size_t>(i)].data.fd;
                const auto got = ::recv(fd, buffer, sizeof buffer, 0);
                // One event is one small frame: it comes in one piece, and ends in a brace.
                if (got <= 0 || buffer[got - 1] != '}') {
                    throw std::runtime_error{"a subscriber was dropped"};
                }
                each.push_back(since(began));
                --waiting;
            }
        }
        last.push_back(since(began));
    }
    ::close(epoll);
    print(fmt::format("create until {} subscriber(s) have it, each", subscribers), std::move(each));
    print(fmt::format("  and the last of them", subscribers), std::move(last));
    if (subscribers < 100) return; // one says nothing about memory
    fmt::print(
        "  {:.1f} kB resident a subscriber\n", grown * 1000 / static_cast<double>(subscribers));
}

void allow_many_files() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

std::size_t number(int argc, char** argv, int at, std::size_t usual) {
    return argc > at ? static_cast<std::size_t>(std::stoull(argv[at])) : usual;
}

} // namespace

int main(int argc, char** argv) try {
    const std::size_t tasks = number(argc, argv, 1, 1'000'000);
    const std::size_t subscribers = number(argc, argv, 2, 10'000);
    const std::size_t rounds = number(argc, argv, 3, 200);
    allow_many_files(); // the server inherits it
    const tests::ScratchDirectory home;
    Server server{home.path()};
    say_memory(server, 0);
    measure_push(server, 1, rounds);
    measure_push(server, subscribers, std::max<std::size_t>(rounds / 4, 1));
    const std::size_t first = std::min<std::size_t>(tasks, 100'000);
    fill(server, 0, first);
    if (first < tasks) fill(server, first, tasks);
    for (const auto* path :
         {"/api/v1/tasks?limit=100", "/api/v1/tasks?limit=100&state=pending",
          "/api/v1/tasks?limit=100&tag=part-7", "/api/v1/tasks/TASK-77", "/api/v1/tasks/counts"}) {
        measure_reading(server, rounds, path);
    }
    measure_work(server, rounds);
    measure_push(server, 1, rounds);
    say_memory(server, tasks);
    return 0;
} catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
}
