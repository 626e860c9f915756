// Approved acts while the server is killed: each happens once, whenever it dies.
#include "kernel/json.hpp"
#include "store/audit_ledger.hpp"
#include "store/wait.hpp"
#include "tests/support/postgres_server.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/system/crash_scene.hpp"
#include "tests/system/http_client.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

// Somebody at the server, as long as it lives.
class Caller {
public:
    Caller(const std::string& address, std::string key)
        : client_{Client::tcp(address)}, key_{std::move(key)} {}

    json::value ask(const std::string& method, const std::string& path, json::object body = {}) {
        const std::string text = method == "GET" ? "" : to_text(body);
        client_.send(fmt::format(
            "{} /api/v1{} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {}\r\n{}"
            "Content-Length: {}\r\n\r\n{}",
            method, path, key_, text.empty() ? "" : "Content-Type: application/json\r\n",
            text.size(), text));
        const auto answer = client_.receive();
        REQUIRE_MESSAGE(answer, method, " ", path);
        REQUIRE_MESSAGE(answer->status < 300, method, " ", path, " ", answer->body);
        return parse_json(answer->body).value();
    }
    // Sent, and nobody waits for the answer.
    void shout(const std::string& path, const json::object& body) {
        const std::string text = to_text(body);
        client_.send(fmt::format(
            "POST /api/v1{} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {}\r\nContent-Type: "
            "application/json\r\nContent-Length: {}\r\n\r\n{}",
            path, key_, text.size(), text));
    }

private:
    Client client_;
    std::string key_;
};

std::string text_at(const json::value& value, const char* name) {
    return std::string{value.at(name).as_string()};
}

// How often each thing happened, by the audit log: action and entity.
std::map<std::string, int> happened(const Place& place) {
    std::map<std::string, int> counts;
    const auto database = place.open();
    const auto status = store::read_and_wait(
        *database, {.work = [&](store::Session& session) -> Status {
                        const store::AuditLedger ledger{session, main_hive};
                        const auto report = audit::verify_ledger(ledger, {trusted_key(place)});
                        if (!report) return fail(report.error());
                        CHECK_MESSAGE(!report->fault, (report->fault ? report->fault->reason : ""));
                        return session.query(
                            "SELECT action, entity_id FROM audit_log", {},
                            [&](const store::Row& row) {
                                ++counts[fmt::format("{} {}", row.text(0), row.text(1))];
                            });
                    },
                    .within = 60s});
    REQUIRE_MESSAGE(status, status.error().detail);
    return counts;
}

// One request per round; the server dies at another moment each time.
struct Waiting {
    std::string approval;
    std::string task;
};

Waiting hold_back(Caller& worker, int round) {
    const auto task =
        worker.ask("POST", "/tasks", {{"title", fmt::format("t{}", round)}, {"tags", {"prod"}}});
    const std::string id = text_at(task, "id");
    const auto claimed = worker.ask("POST", "/tasks/" + id + "/claim");
    const auto held = worker.ask(
        "POST", "/tasks/" + id + "/complete", {{"token", claimed.at("lease").at("token")}});
    REQUIRE(text_at(held, "state") == "in_review");
    return {text_at(held, "approval"), id};
}

void make_rules(Caller& admin) {
    const json::array stages{json::object{{"roles", {"human"}}, {"within", "1h"}}};
    admin.ask(
        "POST", "/approval-rules",
        {{"name", "tasks"}, {"match", {{"acts", {"task.complete"}}}}, {"stages", stages}});
    admin.ask(
        "POST", "/approval-rules",
        {{"name", "swarms"}, {"match", {{"acts", {"swarm.*"}}}}, {"stages", stages}});
}

void kill_while_deciding(const Place& place, const std::string& output, int rounds) {
    const std::string admin_key = make_admin_key(place);
    std::string alice;
    std::vector<Waiting> all;
    std::vector<std::string> swarm_approvals;
    for (int round = 0; round < rounds; ++round) {
        CAPTURE(round);
        ServerProcess server{place, output};
        Caller admin{server.address(), admin_key};
        if (round == 0) {
            make_rules(admin);
            const auto made = admin.ask("POST", "/keys", {{"owner", "alice"}, {"role", "human"}});
            alice = text_at(made, "key");
        }
        const Waiting waiting = hold_back(admin, round);
        const std::string swarm = fmt::format("s{}", round);
        const auto held = admin.ask(
            "POST", "/swarms",
            {{"id", swarm},
             {"template", {{"bees", {{{"role", "echo"}, {"work", {{"in", {{"in", "q"}}}}}}}}}}});
        swarm_approvals.push_back(text_at(held, "approval"));
        all.push_back(waiting);
        Caller decider{server.address(), alice};
        for (const auto& id : {waiting.approval, swarm_approvals.back()}) {
            decider.shout("/approvals/" + id + "/decision", {{"verdict", "approve"}});
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{(round % 6) * 40});
        server.kill(SIGKILL);
    }
    {
        ServerProcess server{place, output};
        Caller admin{server.address(), alice};
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (const auto& id : {all[i].approval, swarm_approvals[i]}) {
                // What was decided before it died is so; the rest is decided now.
                if (text_at(admin.ask("GET", "/approvals/" + id), "state") == "open") {
                    admin.ask("POST", "/approvals/" + id + "/decision", {{"verdict", "approve"}});
                }
                std::string carry = "pending";
                for (int look = 0; look < 1200 && carry == "pending"; ++look) {
                    carry = text_at(admin.ask("GET", "/approvals/" + id), "carry");
                    if (carry == "pending") std::this_thread::sleep_for(50ms);
                }
                CHECK(carry == "done");
            }
            CHECK(text_at(admin.ask("GET", "/tasks/" + all[i].task), "state") == "completed");
        }
        server.kill(SIGTERM);
    }
    auto counts = happened(place);
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(counts["task.completed " + all[i].task] == 1);
        CHECK(counts["approval.carried " + all[i].approval] == 1);
        CHECK(counts[fmt::format("swarm.created s{}", i)] == 1);
        CHECK(counts["approval.carried " + swarm_approvals[i]] == 1);
    }
}

} // namespace

TEST_CASE("SQLite: kill -9 while people decide: every approved act happens once") {
    const hive::tests::ScratchDirectory scratch;
    const Place place{(scratch.path() / "data").string()};
    std::filesystem::create_directory(place.directory);
    kill_while_deciding(place, (scratch.path() / "out").string(), 12);
}

TEST_CASE("PostgreSQL: kill -9 while people decide: every approved act happens once") {
    hive::tests::PostgresServer postgres;
    const hive::tests::ScratchDirectory scratch;
    const Place place{(scratch.path() / "data").string(), postgres.create_database()};
    std::filesystem::create_directory(place.directory);
    kill_while_deciding(place, (scratch.path() / "out").string(), 6);
}
