#include "store/ask_tables.hpp"
#include "store/migration.hpp"
#include "tests/contract/store/home.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

const HiveId main_hive = HiveId::parse("main").value();
const Timestamp start{1'750'000'000s};

class Asks {
public:
    Asks() : home_{make_home()}, database_{home_->open()} { REQUIRE(migrate(*database_)); }

    template <class F>
    void tell(F tell) {
        REQUIRE(write_and_wait(*database_, {.work = [&](Session& session) -> Status {
            AskTable table{session, main_hive};
            return tell(table);
        }}));
    }
    void add(std::string id, Timestamp when) {
        tell([&](AskTable& table) {
            return table.add({.correlation_id = id, .asked = when, .body = "{}"});
        });
    }
    std::optional<AskRow> find(std::string_view id) {
        return read_for(
                   *database_,
                   [&](Session& session) { return AskTable{session, main_hive}.find(id); })
            .value();
    }
    std::vector<std::string> open(const HiveId& hive = main_hive) {
        const auto rows =
            read_for(*database_, [&](Session& session) { return AskTable{session, hive}.open(); });
        std::vector<std::string> ids;
        for (const AskRow& row : rows.value()) ids.push_back(row.correlation_id);
        return ids;
    }

private:
    std::unique_ptr<Home> home_;
    std::unique_ptr<Database> database_;
};

using Ids = std::vector<std::string>;

} // namespace

TEST_CASE("what was asked is open until its first end, in the order of the asking") {
    Asks asks;
    asks.add("late", start + 1s);
    asks.add("early", start);
    CHECK(asks.open() == Ids{"early", "late"});
    CHECK(asks.open(HiveId::parse("other").value()).empty());

    asks.tell([](AskTable& table) { return table.end({"early", start + 2s, "first"}); });
    asks.tell([](AskTable& table) { return table.end({"early", start + 3s, "second"}); });
    asks.tell([](AskTable& table) { return table.end({"nobody", start, "x"}); });
    asks.add("early", start + 9s); // again, because nobody knew whether it was kept
    CHECK(asks.open() == Ids{"late"});
    const auto early = asks.find("early");
    REQUIRE(early);
    CHECK(early->asked == start);
    CHECK(early->ended == start + 2s);
    CHECK(early->outcome == "first");
    CHECK_FALSE(asks.find("late")->outcome);
    CHECK_FALSE(asks.find("nobody"));
}

TEST_CASE("what has ended is forgotten after a while, and what is open is not") {
    Asks asks;
    for (const auto* id : {"old", "new", "open"}) asks.add(id, start);
    asks.tell([](AskTable& table) { return table.end({"old", start, "x"}); });
    asks.tell([](AskTable& table) { return table.end({"new", start + 1h, "x"}); });
    asks.tell([](AskTable& table) -> Status {
        const auto gone = table.forget(start + 30min);
        if (!gone) return fail(gone.error());
        CHECK(*gone == 1);
        return {};
    });
    CHECK_FALSE(asks.find("old"));
    CHECK(asks.find("new"));
    CHECK(asks.open() == Ids{"open"});
}
