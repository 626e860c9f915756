// Tasks made, taken and finished and messages sent by several bees while the server is killed again
// and again, at moments that come from a seed. HIVE_KILLS says how often, HIVE_SEED from where.
#include "kernel/json.hpp"
#include "store/audit_ledger.hpp"
#include "store/message_tables.hpp"
#include "store/task_tables.hpp"
#include "store/wait.hpp"
#include "tests/support/postgres_server.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/system/crash_bee.hpp"
#include "tests/system/crash_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <random>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;
using colony::tasks::State;
using Steady = std::chrono::steady_clock;

namespace {

std::optional<int> number_from(const char* name) {
    const char* text = std::getenv(name); // NOLINT(concurrency-mt-unsafe): before threads
    return text == nullptr ? std::nullopt : std::optional{std::atoi(text)};
}

class Slaughter {
public:
    Slaughter(Place place, std::string output)
        : place_{std::move(place)}, output_{std::move(output)}, key_{make_admin_key(place_)} {
        for (int i = 0; i < 4; ++i) bees_.emplace_back(i, key_);
    }

    void kill(int times) {
        for (int round = 0; round < times; ++round) {
            CAPTURE(round);
            if (moment_(random_) % 8 == 0) {
                ServerProcess early{place_, output_, ServerProcess::Until::spawned};
                std::this_thread::sleep_for(std::chrono::milliseconds{moment_(random_)});
            } // killed while it starts
            live_and_die();
            note_what_was_promised();
            const bool now_and_then = round % 64 == 0 || round + 1 == times;
            if (now_and_then) check_chain();
            check_promises();
        }
    }

    // What bees of earlier lives held comes back when their leases lapse.
    void finish() {
        {
            ServerProcess server{place_, output_};
            const auto end = Steady::now() + 120s;
            while (Steady::now() < end && !says_all_completed(server)) {
                run_bees(server, CrashBee::Wish::finish);
                std::this_thread::sleep_for(100ms);
            }
            server.kill(SIGTERM);
        }
        note_what_was_promised();
        check_promises();
        check_chain();
        CHECK(all_completed());
        CHECK(all_tasks() == created_); // none lost, none twice
        CHECK(messages() == said_);
        CHECK(created_ > 0);
        CHECK(said_ > 0);
        if (number_from("HIVE_KILLS")) report();
    }

private:
    void live_and_die() {
        const auto began = Steady::now();
        ServerProcess server{place_, output_};
        starts_ms_.push_back(
            std::chrono::duration<double, std::milli>(Steady::now() - began).count());
        std::jthread death{[&, after = moment_(random_)] {
            std::this_thread::sleep_for(std::chrono::milliseconds{after});
            server.kill(SIGKILL);
        }};
        run_bees(server, CrashBee::Wish::work);
    }

    void run_bees(const ServerProcess& server, CrashBee::Wish wish) {
        std::vector<std::jthread> threads;
        for (CrashBee& bee : bees_) {
            threads.emplace_back([&, address = server.address()] { bee.work(address, wish); });
        }
    }

    void note_what_was_promised() {
        for (CrashBee& bee : bees_) {
            auto told = bee.take_acknowledged();
            created_ += told.created.size();
            said_ += told.said.size();
            std::ranges::move(told.created, std::back_inserter(promised_.created));
            std::ranges::move(told.completed, std::back_inserter(promised_.completed));
            std::ranges::move(told.said, std::back_inserter(promised_.said));
        }
    }

    // Of the newest life, while nobody runs.
    void check_promises() {
        std::size_t missing = 0;
        in_database([&](store::Session& session) -> Status {
            const store::TaskTable tasks{session, main_hive};
            const store::MessageTable messages{session, main_hive};
            for (const auto& id : promised_.created) missing += tasks.find(id).value() ? 0U : 1U;
            for (const auto& id : promised_.said) missing += messages.find(id).value() ? 0U : 1U;
            for (const auto& id : promised_.completed) {
                const auto task = tasks.find(id).value();
                missing += task && task->state == State::completed ? 0U : 1U;
            }
            return {};
        });
        CHECK(missing == 0);
        promised_ = {};
    }

    void check_chain() {
        in_database([&](store::Session& session) -> Status {
            const store::AuditLedger ledger{session, main_hive};
            const auto report = audit::verify_ledger(ledger, {trusted_key(place_)});
            if (!report) return fail(report.error());
            CHECK_MESSAGE(!report->fault, (report->fault ? report->fault->reason : ""));
            entries_ = report->entries;
            return {};
        });
    }

    bool says_all_completed(const ServerProcess& server) const {
        auto client = Client::tcp(server.address());
        const auto answer =
            client.get("/api/v1/tasks/counts", fmt::format("Authorization: Bearer {}\r\n", key_));
        const auto counts = parse_json(answer.body).value();
        return std::ranges::all_of(counts.as_object(), [](const auto& state) {
            return state.key() == name_of(State::completed) || state.value() == 0;
        });
    }

    using Counts = std::array<std::uint64_t, colony::tasks::state_count>;
    Counts tasks() {
        Counts counts{};
        in_database([&](store::Session& session) -> Status {
            counts = store::TaskTable{session, main_hive}.counts().value();
            return {};
        });
        return counts;
    }
    std::uint64_t all_tasks() {
        const Counts counts = tasks();
        return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    }
    bool all_completed() {
        return tasks().at(static_cast<std::size_t>(State::completed)) == all_tasks();
    }

    std::uint64_t messages() {
        std::uint64_t count = 0;
        in_database([&](store::Session& session) {
            return session.query(
                "SELECT COUNT(*) FROM colony_message WHERE channel = 'general'", {},
                [&](const store::Row& row) { count = static_cast<std::uint64_t>(row.integer(0)); });
        });
        return count;
    }

    void in_database(const store::Work& work) {
        const auto database = place_.open();
        const auto status = store::read_and_wait(*database, {.work = work, .within = 120s});
        REQUIRE_MESSAGE(status, status.error().detail);
    }

    void report() {
        std::ranges::sort(starts_ms_);
        MESSAGE(fmt::format(
            "{} kills; {} tasks, {} messages, {} audit entries; start to ready: median {:.0f} ms, "
            "p99 {:.0f} ms",
            starts_ms_.size(), created_, said_, entries_, starts_ms_[starts_ms_.size() / 2],
            starts_ms_[starts_ms_.size() * 99 / 100]));
    }

    Place place_;
    std::string output_;
    std::string key_;
    std::mt19937 random_{static_cast<unsigned>(number_from("HIVE_SEED").value_or(1))};
    std::uniform_int_distribution<int> moment_{0, 120}; // milliseconds
    std::deque<CrashBee> bees_;
    CrashBee::Acknowledged promised_;
    std::uint64_t created_ = 0;
    std::uint64_t said_ = 0;
    std::uint64_t entries_ = 0;
    std::vector<double> starts_ms_;
};

} // namespace

TEST_CASE("SQLite: kill -9 under load loses nothing, does nothing twice, and leaves none stuck") {
    const hive::tests::ScratchDirectory scratch;
    const Place place{(scratch.path() / "data").string()};
    std::filesystem::create_directory(place.directory);
    Slaughter slaughter{place, (scratch.path() / "out").string()};
    slaughter.kill(number_from("HIVE_KILLS").value_or(30));
    slaughter.finish();
}

TEST_CASE("PostgreSQL: kill -9 under load loses nothing, does nothing twice, leaves none stuck") {
    hive::tests::PostgresServer postgres;
    const hive::tests::ScratchDirectory scratch;
    const Place place{(scratch.path() / "data").string(), postgres.create_database()};
    std::filesystem::create_directory(place.directory);
    Slaughter slaughter{place, (scratch.path() / "out").string()};
    slaughter.kill(number_from("HIVE_KILLS").value_or(80) / 10);
    slaughter.finish();
}
