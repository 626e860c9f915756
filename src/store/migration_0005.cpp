#include "store/migration_0005.hpp"

#include "store/dialect.hpp"

#include <array>

namespace hive::store {
namespace {

constexpr std::array<std::string_view, 3> changes_0005{
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

constexpr std::array<std::string_view, 1> tables_0005{"orchestrator_ask"};

} // namespace

const Migration migration_0005{5, "asks", &translated<changes_0005>, tables_0005};

} // namespace hive::store
