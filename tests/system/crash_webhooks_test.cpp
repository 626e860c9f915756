// Whoever was promised a delivery gets it, although the server is killed on the way.
#include "kernel/json.hpp"
#include "tests/support/postgres_server.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/system/crash_scene.hpp"
#include "tests/system/http_client.hpp"
#include "tests/system/web_server.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

// Remembers which tasks it was told of.
class Receiver {
public:
    bool has_all(const std::set<std::string>& tasks) {
        const std::lock_guard lock{mutex_};
        return std::ranges::includes(told_, tasks);
    }
    std::size_t count() {
        const std::lock_guard lock{mutex_};
        return told_.size();
    }
    std::string url() const { return server_.url("/hook"); }

private:
    http::Eventually<http::Response> take(const http::Request& request) {
        const auto body = parse_json(request.body);
        const std::lock_guard lock{mutex_};
        told_.emplace(body.value().at("data").at("task_id").as_string());
        return text_answer("thanks");
    }

    std::mutex mutex_;
    std::set<std::string> told_;
    WebServer server_{[this](const http::Request& request) { return take(request); }};
};

json::value
post(Client& client, const std::string& key, const std::string& path, const json::object& body) {
    const std::string text = to_text(body);
    client.send(fmt::format(
        "POST {} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {}\r\n"
        "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
        path, key, text.size(), text));
    const auto answer = client.receive();
    REQUIRE(answer);
    REQUIRE_MESSAGE(answer->status == 201, answer->body);
    return parse_json(answer->body).value();
}

void kill_and_deliver(Place place, const std::string& output) {
    place.more = {"--colony-webhooks-allow", "127.0.0.1", "--colony-webhooks-timeout", "1s"};
    const std::string key = make_admin_key(place);
    Receiver receiver;
    std::set<std::string> promised;
    for (int round = 0; round < 3; ++round) {
        ServerProcess server{place, output};
        Client client = Client::tcp(server.address());
        if (round == 0) {
            post(
                client, key, "/api/v1/webhooks",
                {{"url", receiver.url()}, {"events", {"task.created"}}});
        }
        for (int i = 0; i < 60; ++i) {
            const auto task = post(client, key, "/api/v1/tasks", {{"title", "t"}});
            promised.emplace(task.at("id").as_string());
        }
        server.kill(SIGKILL);
    }
    CHECK(!receiver.has_all(promised)); // it was killed on the way, or this proves nothing
    ServerProcess server{place, output};
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (!receiver.has_all(promised) && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(50ms);
    }
    CHECK_MESSAGE(receiver.has_all(promised), receiver.count(), " of ", promised.size());
    server.kill(SIGTERM);
}

} // namespace

TEST_CASE("SQLite: what was told to nobody when the server was killed is told after its restart") {
    const hive::tests::ScratchDirectory scratch;
    const Place place{(scratch.path() / "data").string()};
    std::filesystem::create_directory(place.directory);
    kill_and_deliver(place, (scratch.path() / "out").string());
}

TEST_CASE("PostgreSQL: what was told to nobody when the server was killed is told later") {
    hive::tests::PostgresServer postgres;
    const hive::tests::ScratchDirectory scratch;
    const Place place{(scratch.path() / "data").string(), postgres.create_database()};
    std::filesystem::create_directory(place.directory);
    kill_and_deliver(place, (scratch.path() / "out").string());
}
