#include "tests/system/bees_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <iterator>
#include <mutex>

using namespace hive;
using namespace hive::tests;

namespace {

// Takes inserts as ClickHouse does, and refuses them while it is told to.
class Table {
public:
    std::string url() const { return server_.url("/?database=load"); }
    void refuse(bool refuse) { refuses_ = refuse; }
    std::size_t refused() const { return refused_; }
    std::vector<std::string> rows() const {
        const std::lock_guard lock{mutex_};
        return rows_;
    }
    std::vector<std::string> queries() const {
        const std::lock_guard lock{mutex_};
        return queries_;
    }

private:
    http::Response take(const http::Request& request) {
        if (request.header("X-ClickHouse-User") != "hive" ||
            request.header("X-ClickHouse-Key") != "honey") {
            return test::text_answer("who are you?", 403);
        }
        if (refuses_) {
            ++refused_;
            return test::text_answer("Code: 242. DB::Exception: Table is in readonly mode", 500);
        }
        const std::lock_guard lock{mutex_};
        queries_.emplace_back(request.query);
        std::string_view lines = request.body;
        while (!lines.empty()) {
            const auto end = lines.find('\n');
            rows_.emplace_back(lines.substr(0, end));
            lines.remove_prefix(end + 1);
        }
        return test::text_answer("");
    }

    mutable std::mutex mutex_;
    std::vector<std::string> rows_;
    std::vector<std::string> queries_;
    std::atomic<bool> refuses_{false};
    std::atomic<std::size_t> refused_{0};
    test::WebServer server_{[this](const http::Request& request) { return take(request); }};
};

std::string caller(const std::string& target, const std::string& sinks) {
    return fmt::format(
        R"({{"bees":[
        {{"id":"gen","role":"generator","work":{{"out":{{"out":"calls"}}}},
          "config":{{"inputs":{{"scheduler":{{"ratePerSec":500,"maxMessages":40}}}}}}}},
        {{"id":"call","role":"processor",
          "work":{{"in":{{"in":"calls"}},"out":{{"out":"answers"}}}},
          "config":{{"baseUrl":"{}"}}}},
        {{"id":"post","role":"postprocessor","work":{{"in":{{"in":"answers"}}}},
          "config":{{"sinks":{}}}}}]}})",
        target, sinks);
}

std::vector<std::string> lines_of(const std::filesystem::path& path) {
    std::ifstream file{path};
    std::vector<std::string> out;
    for (std::string line; std::getline(file, line);) out.push_back(line);
    return out;
}

} // namespace

TEST_SUITE("where calls are written down") {
    TEST_CASE("each call is a line of the file and a row of the table, also after a refusal") {
        test::WebServer target{[](const http::Request&) { return test::text_answer("fine"); }};
        Table table;
        table.refuse(true);
        ScratchDirectory scratch;
        const auto path = scratch.path() / "rows.jsonl";
        SwarmScene scene;
        run(scene, "alpha",
            caller(
                target.url(""), fmt::format(
                                    R"({{"jsonLines":{{"path":"{}"}},
                        "clickhouse":{{"url":"{}","table":"load.tx","batchSize":7,
                        "flushInterval":"50ms","username":"hive","password":"honey"}}}})",
                                    path.string(), table.url())));
        REQUIRE(scene.eventually([&] { return table.refused() > 0; }));
        CHECK(table.rows().empty());
        CHECK(scene.eventually([&] {
            const auto work = scene.spy().work_of("alpha-postprocessor-1");
            if (!work.contains("sinks")) return false;
            const auto& said = work.at("sinks").at("clickhouse").as_object();
            return said.contains("lastError") &&
                   said.at("lastError").as_string().find("242") != json::string::npos;
        }));
        table.refuse(false);
        REQUIRE(scene.eventually([&] { return table.rows().size() == 40; }));
        REQUIRE(scene.eventually([&] { return lines_of(path).size() == 40; }));
        const auto row = parse_json(table.rows().front()).value();
        CHECK(row.at("swarmId").as_string() == "alpha");
        CHECK(row.at("sinkInstance").as_string() == "alpha-postprocessor-1");
        CHECK(row.at("processorStatus").to_number<int>() == 200);
        CHECK(row.at("processorSuccess").as_bool());
        CHECK(lines_of(path).front() == table.rows().front());
        CHECK(table.queries().front().starts_with(
            "database=load&query=INSERT%20INTO%20load.tx%20FORMAT%20JSONEachRow"));
        CHECK(table.queries().size() >= 6); // of seven rows at most
    }
    TEST_CASE("what is buffered is written when its swarm goes") {
        test::WebServer target{[](const http::Request&) { return test::text_answer("fine"); }};
        Table table;
        ScratchDirectory scratch;
        const auto path = scratch.path() / "rows.jsonl";
        SwarmScene scene;
        run(scene, "alpha",
            caller(
                target.url(""), fmt::format(
                                    R"({{"jsonLines":{{"path":"{}"}},
                        "clickhouse":{{"url":"{}","table":"load.tx","batchSize":100000,
                        "flushInterval":"1h","username":"hive","password":"honey"}}}})",
                                    path.string(), table.url())));
        REQUIRE(scene.eventually([&] {
            const auto work = scene.spy().work_of("alpha-postprocessor-1");
            return work.contains("transactions") && work.at("transactions").to_number<int>() == 40;
        }));
        CHECK(table.rows().empty());
        REQUIRE(
            scene.wish("alpha", orchestrator::Wish::removed).status ==
            wire::OutcomeStatus::removed);
        CHECK(scene.eventually([&] { return table.rows().size() == 40; }));
        CHECK(lines_of(path).size() == 40);
    }
    TEST_CASE("measuring begins anew when it is told to, and a password is not shown") {
        test::WebServer target{[](const http::Request&) { return test::text_answer("fine"); }};
        SwarmScene scene;
        run(scene, "alpha", caller(target.url(""), "{}"));
        const auto transactions = [&] {
            const auto work = scene.spy().work_of("alpha-postprocessor-1");
            return work.contains("transactions") ? work.at("transactions").to_number<int>() : -1;
        };
        REQUIRE(scene.eventually([&] { return transactions() == 40; }));
        const wire::Scope post{
            swarm_id("alpha"), Role::parse("postprocessor").value(),
            InstanceId::parse("alpha-postprocessor-1").value()};
        CHECK(scene.configure(post, {{"reset", "run 2"}}).status == wire::OutcomeStatus::applied);
        CHECK(scene.eventually([&] { return transactions() == 0; }));
        const auto refused = scene.configure(
            post, {{"sinks", {{"clickhouse", {{"url", "ftp://x"}, {"password", "honey"}}}}}});
        CHECK(refused.status == wire::OutcomeStatus::failed);
        CHECK(refused.reason.find("config.sinks.clickhouse.url") != std::string::npos);
        CHECK(refused.reason.find("honey") == std::string::npos);
    }
}
