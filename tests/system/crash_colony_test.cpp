// Tasks made, taken and finished by many bees while the server is killed again and again.
#include "kernel/json.hpp"
#include "store/audit_ledger.hpp"
#include "store/task_tables.hpp"
#include "store/wait.hpp"
#include "tests/support/postgres_server.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/system/crash_scene.hpp"
#include "tests/system/http_client.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;
using colony::tasks::State;

namespace {

// What the server has acknowledged, over all its lives.
struct Acknowledged {
    std::mutex mutex;
    std::set<std::string> created;
    std::set<std::string> completed;
};

// One bee: makes a task, takes the next one there is, and finishes it.
class Bee {
public:
    Bee(const std::string& address, std::string key, Acknowledged& told)
        : client_{Client::tcp(address)}, key_{std::move(key)}, told_{&told} {}

    // Until the connection is gone.
    void work() {
        for (;;) {
            make();
            finish_next();
        }
    }
    void make() {
        const auto made =
            post("/api/v1/tasks", {{"title", "t"}, {"retry", {{"attempts", 100}}}}, 201);
        const std::lock_guard lock{told_->mutex};
        told_->created.emplace(made.value().at("id").as_string());
    }
    bool finish_next() {
        const auto got = post("/api/v1/tasks/claim-next", {{"leaseFor", "1s"}, {"count", 2}}, 200);
        const auto& items = got.value().at("items").as_array();
        for (const auto& task : items) {
            const std::string id{task.at("id").as_string()};
            const json::object shown{{"token", task.at("lease").at("token")}};
            if (!post("/api/v1/tasks/" + id + "/complete", shown, 200)) continue;
            const std::lock_guard lock{told_->mutex};
            told_->completed.insert(id);
        }
        return !items.empty();
    }

private:
    std::optional<json::value> post(const std::string& path, const json::object& body, int status) {
        const std::string text = to_text(body);
        client_.send(fmt::format(
            "POST {} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {}\r\n"
            "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
            path, key_, text.size(), text));
        const auto answer = client_.receive();
        if (!answer) throw std::runtime_error{"gone"};
        // On a slow machine a lease may lapse between two requests: that is its right.
        if (answer->status == 409) return std::nullopt;
        if (answer->status != status) throw std::logic_error{answer->body};
        return parse_json(answer->body).value();
    }

    Client client_;
    std::string key_;
    Acknowledged* told_;
};

void work_until_gone(const std::string& address, const std::string& key, Acknowledged& told) {
    try {
        Bee{address, key, told}.work();
    } catch (const std::runtime_error&) {
        return; // the connection is gone, as it should be
    }
}

// After the last life: nothing that was promised is missing, the chain is sound, and what was
// under way can be finished.
void check_all(const Place& place, Acknowledged& told) {
    const auto database = place.open();
    const auto status = store::read_and_wait(
        *database, {.work = [&](store::Session& session) -> Status {
                        const store::AuditLedger ledger{session, main_hive};
                        const auto report = audit::verify_ledger(ledger, {trusted_key(place)});
                        if (!report) return fail(report.error());
                        CHECK_MESSAGE(!report->fault, (report->fault ? report->fault->reason : ""));
                        const store::TaskTable tasks{session, main_hive};
                        std::size_t missing = 0;
                        for (const auto& id : told.created) {
                            if (!tasks.find(id).value()) ++missing;
                        }
                        CHECK(missing == 0);
                        std::size_t undone = 0;
                        for (const auto& id : told.completed) {
                            const auto task = tasks.find(id).value();
                            if (!task || task->state != State::completed) ++undone;
                        }
                        CHECK(undone == 0);
                        return {};
                    },
                    .within = 60s});
    REQUIRE_MESSAGE(status, status.error().detail);
}

void check_nothing_stuck(const Place& place) {
    const auto database = place.open();
    const auto counts = store::read_for(*database, [&](store::Session& session) {
        return store::TaskTable{session, main_hive}.counts();
    });
    REQUIRE(counts);
    for (std::size_t i = 0; i < colony::tasks::state_count; ++i) {
        const auto state = static_cast<State>(i);
        if (state != State::completed) CHECK_MESSAGE(counts->at(i) == 0, name_of(state));
    }
}

void kill_under_load(const Place& place, const std::string& output, int rounds) {
    const std::string key = make_admin_key(place);
    Acknowledged told;
    for (int round = 0; round < rounds; ++round) {
        CAPTURE(round);
        ServerProcess server{place, output};
        std::vector<std::jthread> bees;
        for (int i = 0; i < 4; ++i) {
            bees.emplace_back([&] { work_until_gone(server.address(), key, told); });
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{120 + 60 * (round % 5)});
        server.kill(SIGKILL);
        bees.clear();
        check_all(place, told);
    }
    CHECK(!told.completed.empty());
    {
        ServerProcess server{place, output};
        Bee last{server.address(), key, told};
        const auto end = std::chrono::steady_clock::now() + 60s;
        // What bees of earlier lives held comes back when their leases lapse.
        for (int idle = 0; idle < 8 && std::chrono::steady_clock::now() < end;) {
            if (last.finish_next()) {
                idle = 0;
            } else {
                ++idle;
                std::this_thread::sleep_for(300ms);
            }
        }
        server.kill(SIGTERM);
    }
    check_all(place, told);
    check_nothing_stuck(place);
}

} // namespace

TEST_CASE("SQLite: kill -9 under load loses no task, forgets no end, and leaves none stuck") {
    const hive::tests::ScratchDirectory scratch;
    const Place place{(scratch.path() / "data").string()};
    std::filesystem::create_directory(place.directory);
    kill_under_load(place, (scratch.path() / "out").string(), 12);
}

TEST_CASE("PostgreSQL: kill -9 under load loses no task, forgets no end, and leaves none stuck") {
    hive::tests::PostgresServer postgres;
    const hive::tests::ScratchDirectory scratch;
    const Place place{(scratch.path() / "data").string(), postgres.create_database()};
    std::filesystem::create_directory(place.directory);
    kill_under_load(place, (scratch.path() / "out").string(), 6);
}
