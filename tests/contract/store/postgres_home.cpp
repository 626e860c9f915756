#include "store/postgres/open.hpp"
#include "tests/contract/store/home.hpp"
#include "tests/support/postgres_server.hpp"

#include <stdexcept>

namespace hive::tests {
namespace {

class PostgresHome final : public Home {
public:
    explicit PostgresHome(std::string url) : url_{std::move(url)} {}

    std::unique_ptr<store::Database> open(const store::Limits& limits) override {
        auto database = store::postgres::open({.url = url_, .limits = limits});
        if (!database) throw std::runtime_error(database.error().detail);
        return std::move(*database);
    }

private:
    std::string url_;
};

} // namespace

std::unique_ptr<Home> make_home() {
    static PostgresServer server;
    return std::make_unique<PostgresHome>(server.create_database());
}

} // namespace hive::tests
