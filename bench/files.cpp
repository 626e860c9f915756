// How soon a file that appears is told to subscribers, and how soon what the API does is in a file,
// with many task files there; and how long the real program takes to have looked at all of them.
//   build/bench/files [files, 10000] [rounds, 300]
#include "kernel/json.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/places.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/system/files_directory.hpp"
#include "tests/system/http_client.hpp"
#include "tests/system/http_ws_client.hpp"

#include <fmt/format.h>

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
using SteadyClock = std::chrono::steady_clock;

double since(SteadyClock::time_point begin) {
    return std::chrono::duration<double, std::milli>(SteadyClock::now() - begin).count();
}

void print(std::string_view what, std::vector<double> ms) {
    std::ranges::sort(ms);
    const auto at = [&](double part) {
        return ms.at(static_cast<std::size_t>(part * static_cast<double>(ms.size() - 1)));
    };
    fmt::print(
        "{:<28} p50 {:7.1f}   p90 {:7.1f}   p99 {:7.1f}   max {:7.1f} ms\n", what, at(0.5), at(0.9),
        at(0.99), ms.back());
}

// `hive serve` beside a directory, asked over HTTP.
class Server {
public:
    Server(const std::filesystem::path& home, const std::string& deia)
        : output_{(home / "out").string()} {
        data_ = (home / "data").string();
        std::filesystem::remove(output_);
        pid_ = tests::spawn(
            {.argv =
                 {tests::hive_program(), "serve", "--port", "0", "--data", data_, "--json",
                  "--deia", deia, "--auth-requests-per-minute", "default=0", "--log-level", "warn"},
             .output = output_});
        for (std::string line; address_.empty();) {
            std::ifstream file{output_};
            if (std::getline(file, line) && line.ends_with('}')) {
                const std::string url{parse_json(line).value().at("url").as_string()};
                address_ = url.substr(url.find("//") + 2);
            }
            std::this_thread::sleep_for(5ms);
        }
        const auto made = tests::run(
            {.argv =
                 {tests::hive_program(), "key", "create", "--role", "admin", "--data", data_,
                  "--json"}},
            30s);
        key_ = parse_json(made.output).value().at("key").as_string();
    }
    ~Server() {
        ::kill(pid_, SIGTERM);
        tests::wait_for_exit(pid_, 30s);
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    json::value ask(std::string_view head, const std::string& body = "") const {
        Client client = Client::tcp(address_);
        client.send(fmt::format(
            "{} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {}\r\n{}Content-Length: {}\r\n\r\n{}",
            head, key_, body.empty() ? "" : "Content-Type: application/json\r\n", body.size(),
            body));
        const auto answer = client.receive();
        if (!answer || answer->status >= 300) throw std::runtime_error{"refused"};
        return parse_json(answer->body).value();
    }
    // Until the first scan is over.
    void await_scan() const {
        for (;;) {
            const auto status = ask("GET /api/v1/sync/status");
            if (status.as_object().contains("lastScan") &&
                status.at("files").to_number<std::size_t>() > 0)
                return;
            std::this_thread::sleep_for(2ms);
        }
    }
    WsClient listen() const {
        const auto ticket = ask("POST /api/v1/ws/tickets");
        WsClient socket{
            Client::tcp(address_), "/ws?token=" + std::string{ticket.at("ticket").as_string()}};
        socket.text(R"({"op":"subscribe","topics":["task.created.#"]})");
        while (socket.receive_text().find("subscribed") == std::string::npos) {
        }
        return socket;
    }

private:
    std::string output_;
    std::string data_;
    pid_t pid_ = 0;
    std::string address_;
    std::string key_;
};

std::string task_text(std::size_t n) {
    return fmt::format(
        "# Task {}\n\n**From:** Q33N\n**To:** BEE-{:03}\n**Priority:** P{}\n\n---\n\n{}\n", n,
        n % 50, n % 5, std::string(2000, 'x'));
}

void to_event(const Server& server, const Directory& files, std::size_t rounds) {
    WsClient socket = server.listen();
    std::vector<double> ms;
    for (std::size_t i = 0; i < rounds; ++i) {
        const std::string name = fmt::format("new-{}", i);
        const auto begin = SteadyClock::now();
        files.write("hive/tasks/" + name + ".md", task_text(i));
        while (socket.receive_text().find('"' + name + '"') == std::string::npos) {
        }
        ms.push_back(since(begin));
    }
    print("file -> WebSocket event", ms);
}

void to_file(const Server& server, const Directory& files, std::size_t rounds) {
    std::vector<double> ms;
    for (std::size_t i = 0; i < rounds; ++i) {
        const std::string note = fmt::format("told-{}-end", i);
        const std::string path = fmt::format("hive/tasks/new-{}.md", i);
        const auto begin = SteadyClock::now();
        server.ask(
            fmt::format("PATCH /api/v1/tasks/new-{}", i),
            to_text(json::object{{"description", note}}));
        while (files.read(path).find(note) == std::string::npos) std::this_thread::sleep_for(500us);
        ms.push_back(since(begin));
    }
    print("API -> file", ms);
}

} // namespace

int main(int argc, char** argv) {
    const std::size_t count = argc > 1 ? std::stoul(argv[1]) : 10'000;
    const std::size_t rounds = argc > 2 ? std::stoul(argv[2]) : 300;
    const tests::ScratchDirectory scratch;
    const Directory files{scratch.path() / ".deia"};
    for (std::size_t i = 0; i < count; ++i)
        files.write(fmt::format("hive/tasks/BEE-{:03}/task-{}.md", i % 50, i), task_text(i));
    fmt::print("{} task files of 2 kB\n", count);
    const auto first = SteadyClock::now();
    {
        const Server server{scratch.path(), files.root().string()};
        server.await_scan();
        while (server.ask("GET /api/v1/sync/status").at("files").to_number<std::size_t>() < count)
            std::this_thread::sleep_for(5ms);
        fmt::print("first start, all of them taken in   {:9.0f} ms\n", since(first));
    }
    const auto again = SteadyClock::now();
    const Server server{scratch.path(), files.root().string()};
    server.await_scan();
    fmt::print("start again, all of them hashed     {:9.0f} ms\n", since(again));
    to_event(server, files, rounds);
    to_file(server, files, rounds);
    return 0;
}
