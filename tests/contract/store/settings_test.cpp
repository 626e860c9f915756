#include "store/migration.hpp"
#include "store/settings.hpp"
#include "tests/contract/store/home.hpp"

#include <doctest/doctest.h>

#include <thread>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;

namespace {

const HiveId hive_main = HiveId::parse("main").value();
const HiveId hive_other = HiveId::parse("other").value();

class Settings {
public:
    Settings() : home{make_home()}, database{home->open()} { REQUIRE(migrate(*database)); }

    std::optional<std::string> get(const HiveId& hive, std::string_view name) {
        const auto found =
            read_for(*database, [&](Session& session) { return setting(session, hive, name); });
        REQUIRE(found);
        return *found;
    }
    Status put(const HiveId& hive, const Setting& setting) {
        return write_and_wait(*database, {.work = [&](Session& session) -> Status {
            return put_setting(session, hive, setting, Timestamp{});
        }});
    }

    std::unique_ptr<Home> home;
    std::unique_ptr<Database> database;
};

} // namespace

TEST_CASE("a setting is absent, then what was put last, per hive") {
    Settings settings;
    CHECK_FALSE(settings.get(hive_main, "name"));
    REQUIRE(settings.put(hive_main, {"name", "one"}));
    REQUIRE(settings.put(hive_main, {"name", "two 🐝"}));
    REQUIRE(settings.put(hive_main, {"empty", ""}));
    CHECK(settings.get(hive_main, "name") == "two 🐝");
    CHECK(settings.get(hive_main, "empty") == "");
    CHECK_FALSE(settings.get(hive_other, "name"));
}

TEST_CASE("servers that propose different first values agree on one") {
    Settings settings;
    const auto other = settings.home->open();
    std::array<Result<std::string>, 2> agreed;
    const auto propose = [&](Database& database, const char* value) {
        return write_for(database, [&](Session& session) {
            return setting_or(session, hive_main, {"origin", value}, Timestamp{});
        });
    };
    {
        const std::jthread one{[&] { agreed[0] = propose(*settings.database, "one"); }};
        const std::jthread two{[&] { agreed[1] = propose(*other, "two"); }};
    }
    REQUIRE(agreed[0]);
    CHECK(agreed[0] == agreed[1]);
    CHECK(propose(*other, "three") == agreed[0]);
    CHECK(settings.get(hive_main, "origin") == *agreed[0]);
}
