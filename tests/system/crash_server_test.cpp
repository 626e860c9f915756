// The real binary under load, killed without warning again and again, on both stores.
#include "store/accounts_tables.hpp"
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
#include <mutex>
#include <set>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

// Makes keys until the server is gone; keeps the ids of those it was told about.
class Load {
public:
    Load(std::string address, std::string key, int threads)
        : address_{std::move(address)}, key_{std::move(key)} {
        for (int i = 0; i < threads; ++i) threads_.emplace_back([this, i] { run(i); });
    }
    std::set<std::string> finish() {
        for (auto& thread : threads_) thread.join();
        return acknowledged_;
    }

private:
    void run(int number) {
        try {
            Client client = Client::tcp(address_);
            for (int n = 0;; ++n) {
                const std::string body =
                    fmt::format(R"({{"owner":"bee-{}-{}","role":"bee"}})", number, n);
                client.send(fmt::format(
                    "POST /api/v1/keys HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {}\r\n"
                    "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                    key_, body.size(), body));
                const auto answer = client.receive();
                if (!answer) return;
                if (answer->status != 201) throw std::logic_error{answer->body};
                const auto made = parse_json(answer->body);
                const std::lock_guard lock{mutex_};
                acknowledged_.emplace(made->at("record").at("id").as_string());
            }
        } catch (const std::runtime_error&) {
            return; // the connection is gone, as it should be
        }
    }

    std::string address_;
    std::string key_;
    std::mutex mutex_;
    std::set<std::string> acknowledged_;
    std::vector<std::thread> threads_;
};

void check_nothing_lost(const Place& place, const std::set<std::string>& acknowledged) {
    const auto database = place.open();
    const auto status = store::read_and_wait(
        *database, {.work = [&](store::Session& session) -> Status {
                        const store::AuditLedger ledger{session, main_hive};
                        const auto report = audit::verify_ledger(ledger, {trusted_key(place)});
                        if (!report) return fail(report.error());
                        CHECK_MESSAGE(!report->fault, (report->fault ? report->fault->reason : ""));
                        std::set<std::string> recorded;
                        for (std::uint64_t first = 1;;) {
                            const auto page = ledger.read(first, audit::page_max);
                            if (!page) return fail(page.error());
                            if (page->empty()) break;
                            for (const auto& entry : *page) recorded.insert(entry.entity_id);
                            first = page->back().sequence + 1;
                        }
                        store::KeyTable keys{session, main_hive};
                        std::size_t missing = 0;
                        for (const auto& id : acknowledged) {
                            const auto key = keys.find(id);
                            if (!key) return fail(key.error());
                            if (!*key || !recorded.contains(id)) ++missing;
                        }
                        CHECK(missing == 0);
                        return {};
                    },
                    .within = 60s});
    REQUIRE_MESSAGE(status, status.error().detail);
}

void kill_again_and_again(const Place& place, const std::string& output, int rounds) {
    const std::string key = make_admin_key(place);
    std::set<std::string> acknowledged;
    for (int round = 0; round < rounds; ++round) {
        CAPTURE(round);
        {
            ServerProcess server{place, output};
            Load load{server.address(), key, 4};
            std::this_thread::sleep_for(std::chrono::milliseconds{150 + 70 * round});
            server.kill(SIGKILL);
            acknowledged.merge(load.finish());
        }
        CHECK(acknowledged.size() > static_cast<std::size_t>(round));
        check_nothing_lost(place, acknowledged);
    }
}

} // namespace

TEST_CASE("SQLite: what was acknowledged before kill -9 is there, with its audit entry") {
    const hive::tests::ScratchDirectory scratch;
    const Place place{(scratch.path() / "data").string()};
    std::filesystem::create_directory(place.directory);
    kill_again_and_again(place, (scratch.path() / "out").string(), 8);
}

TEST_CASE("PostgreSQL: what was acknowledged before kill -9 is there, with its audit entry") {
    hive::tests::PostgresServer postgres;
    const hive::tests::ScratchDirectory scratch;
    const Place place{(scratch.path() / "data").string(), postgres.create_database()};
    std::filesystem::create_directory(place.directory);
    kill_again_and_again(place, (scratch.path() / "out").string(), 5);
}

TEST_CASE("an orderly stop under load loses nothing") {
    const hive::tests::ScratchDirectory scratch;
    const Place place{(scratch.path() / "data").string()};
    std::filesystem::create_directory(place.directory);
    const std::string key = make_admin_key(place);
    std::set<std::string> acknowledged;
    {
        ServerProcess server{place, (scratch.path() / "out").string()};
        Load load{server.address(), key, 4};
        std::this_thread::sleep_for(300ms);
        server.kill(SIGTERM);
        acknowledged = load.finish();
    }
    CHECK_FALSE(acknowledged.empty());
    check_nothing_lost(place, acknowledged);
}
