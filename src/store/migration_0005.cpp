#include "store/migration_0005.hpp"

#include "store/dialect.hpp"

#include <array>

namespace hive::store {
namespace {

constexpr std::array<std::string_view, 3> changes{
    // What somebody asked of the orchestrator: `body` is what, `outcome` how it ended.
    R"(CREATE TABLE orchestrator_ask (
    hive {text} NOT NULL,
    correlation_id {text} NOT NULL,
    asked {int64} NOT NULL,
    ended {int64},
    body {text} NOT NULL,
    outcome {text},
    PRIMARY KEY (hive, correlation_id)
){strict})",
    "CREATE INDEX orchestrator_ask_open ON orchestrator_ask (asked, hive, correlation_id) "
    "WHERE ended IS NULL",
    "CREATE INDEX orchestrator_ask_ended ON orchestrator_ask (ended, hive) "
    "WHERE ended IS NOT NULL",
};

constexpr std::array<std::string_view, 1> table_names{"orchestrator_ask"};

std::vector<std::string> statements(Engine engine) {
    std::vector<std::string> all;
    all.reserve(std::size(changes));
    for (const auto change : changes) all.push_back(translate(change, engine));
    return all;
}

} // namespace

const Migration migration_0005{5, "asks", &statements, table_names};

} // namespace hive::store
