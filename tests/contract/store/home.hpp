#pragma once

#include "store/database.hpp"
#include "store/threaded_database.hpp"
#include "store/wait.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hive::tests {

// A new, empty database of the engine under test. Several servers can open it at once.
class Home {
public:
    virtual ~Home() = default;
    virtual std::unique_ptr<store::Database> open(const store::Limits& limits) = 0;
    std::unique_ptr<store::Database> open() { return open(store::Limits{}); }
};

std::unique_ptr<Home> make_home(); // by the adapter's own file

// A database with one small table: thing (id, name).
class StoreUnderTest {
public:
    explicit StoreUnderTest(const store::Limits& limits = {});

    store::Database& db() { return *database_; }
    Home& home() { return *home_; }

    Status add(std::int64_t id, std::string_view name);
    Status write(store::Work work) { return store::write_and_wait(db(), {std::move(work)}); }
    Status read(store::Work work) { return store::read_and_wait(db(), {std::move(work)}); }
    std::vector<std::int64_t> ids(); // of the things there are, in order
    void reopen();

private:
    std::unique_ptr<Home> home_;
    store::Limits limits_;
    std::unique_ptr<store::Database> database_;
};

// Holds the writer until released, so that everything written meanwhile forms one group.
class Gate {
public:
    explicit Gate(store::Database& database);
    ~Gate() { open(); }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    void open();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool entered_ = false;
    bool open_ = false;
    bool done_ = false;
};

// Collects the outcomes of units in the order in which they were completed.
class Outcomes {
public:
    store::Done expect();       // one more
    std::vector<Status> wait(); // until all are there

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Status> found_; // by the order of expect()
    std::size_t missing_ = 0;
};

inline store::Work insert_thing(std::int64_t id, std::string name) {
    return [id, name = std::move(name)](store::Session& session) -> Status {
        auto done = session.execute("INSERT INTO thing (id, name) VALUES ($1, $2)", {id, name});
        if (!done) return fail(done.error());
        return {};
    };
}

} // namespace hive::tests
