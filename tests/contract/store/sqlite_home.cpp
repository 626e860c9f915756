#include "store/sqlite/open.hpp"
#include "tests/contract/store/home.hpp"
#include "tests/support/scratch_directory.hpp"

#include <stdexcept>

namespace hive::tests {
namespace {

class SqliteHome final : public Home {
public:
    std::unique_ptr<store::Database> open(const store::Limits& limits) override {
        auto database = store::sqlite::open(
            {.directory = scratch_.path(),
             .tenancy = store::sqlite::Tenancy::visitor,
             .limits = limits});
        if (!database) throw std::runtime_error(database.error().detail);
        return std::move(*database);
    }

private:
    ScratchDirectory scratch_;
};

} // namespace

std::unique_ptr<Home> make_home() {
    return std::make_unique<SqliteHome>();
}

} // namespace hive::tests
