// Linked into a suite, it puts every hive under test on PostgreSQL.
#include "store/postgres/open.hpp"
#include "tests/support/postgres_server.hpp"
#include "tests/system/server_scene.hpp"

#include <map>

namespace hive::test {
namespace {

Result<std::unique_ptr<store::Database>> open(const std::string& directory) {
    static hive::tests::PostgresServer server;
    static std::map<std::string, std::string> databases; // of a hive, which may be started again
    auto& url = databases[directory];
    if (url.empty()) url = server.create_database();
    return store::postgres::open({.url = url});
}

[[maybe_unused]] const bool plugged_in = [] {
    HiveUnderTest::open_store = &open;
    return true;
}();

} // namespace
} // namespace hive::test
