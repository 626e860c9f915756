#include "runtime/process/records.hpp"
#include "tests/support/scratch_directory.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace hive;
using namespace hive::runtime;
using namespace hive::runtime::process;

namespace {

namespace fs = std::filesystem;

struct RecordsUnderTest {
    tests::ScratchDirectory scratch{};
    std::string directory = (scratch.path() / "deep" / "hive").string();
    Records records{directory};

    RecordsUnderTest() { REQUIRE(records.make_directories().has_value()); }

    std::optional<SwarmLock> lock(const Name& name) const {
        auto locked = records.try_lock(name.swarm);
        REQUIRE(locked.has_value());
        return std::move(*locked);
    }
    void write(const Record& record) const {
        const auto held = lock(record.name);
        REQUIRE(held.has_value());
        REQUIRE(records.write(record, *held).has_value());
    }
};

Record record_of(const char* swarm, const char* instance, int pid) {
    return {
        .name = {*SwarmId::parse(swarm), *Role::parse("bee"), *InstanceId::parse(instance)},
        .process = {.pid = pid, .start_ticks = 1, .boot = "b"}};
}

} // namespace

TEST_CASE("records are found by name and listed in order") {
    const RecordsUnderTest under;
    under.write(record_of("beta", "x", 1));
    under.write(record_of("alpha", "z", 2));
    under.write(record_of("alpha", "y", 3));
    const auto all = under.records.list();
    REQUIRE(all.has_value());
    std::vector<int> pids;
    for (const auto& record : all->records) pids.push_back(record.process.pid);
    CHECK(pids == std::vector{3, 2, 1});
    CHECK(under.records.list(*SwarmId::parse("beta"))->records.size() == 1);
    CHECK(under.records.list(*SwarmId::parse("gamma"))->records.empty());
    const auto found = under.records.find(record_of("alpha", "z", 0).name);
    REQUIRE(found.has_value());
    REQUIRE(found->has_value());
    CHECK((*found)->process.pid == 2);
    CHECK(!under.records.find(record_of("alpha", "nobody", 0).name)->has_value());
}

TEST_CASE("files that are no records are told apart, other names are not looked at") {
    const RecordsUnderTest under;
    under.write(record_of("alpha", "x", 1));
    std::ofstream{under.directory + "/run/alpha/broken.json"} << "{";
    std::ofstream{under.directory + "/run/alpha/notes.txt"} << "mine";
    fs::create_directory(under.directory + "/run/.hidden");
    const auto all = under.records.list();
    REQUIRE(all.has_value());
    CHECK(all->records.size() == 1);
    REQUIRE(all->broken.size() == 1);
    CHECK(all->broken[0].detail.find("broken.json is not a record") != std::string::npos);
}

TEST_CASE("one holds a swarm's lock, and another swarm's is free") {
    const RecordsUnderTest under;
    const Name name = record_of("alpha", "x", 1).name;
    auto held = under.lock(name);
    REQUIRE(held.has_value());
    CHECK(!under.lock(name).has_value());
    CHECK(under.lock(record_of("beta", "x", 1).name).has_value());
    held.reset();
    CHECK(under.lock(name).has_value());
}

TEST_CASE("the directory of a swarm without records goes with its lock") {
    const RecordsUnderTest under;
    const Record record = record_of("alpha", "x", 1);
    under.lock(record.name).reset();
    CHECK(!fs::exists(under.directory + "/run/alpha"));
    under.write(record);
    CHECK(fs::exists(under.directory + "/run/alpha"));
    REQUIRE(under.records.remove(record, *under.lock(record.name)).has_value());
    CHECK(!fs::exists(under.directory + "/run/alpha"));
}

TEST_CASE("the record of a later process of that name is not removed") {
    const RecordsUnderTest under;
    under.write(record_of("alpha", "x", 2));
    const Record earlier = record_of("alpha", "x", 1);
    REQUIRE(under.records.remove(earlier, *under.lock(earlier.name)).has_value());
    CHECK(under.records.find(earlier.name)->has_value());
}

TEST_CASE("looking into a directory that is not there finds nothing and makes nothing") {
    const tests::ScratchDirectory scratch;
    const std::string directory = (scratch.path() / "none").string();
    const Records records{directory};
    CHECK(records.list()->records.empty());
    CHECK(!fs::exists(directory));
}
