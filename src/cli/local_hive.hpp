#pragma once

#include "api/rest/transactions.hpp"
#include "cli/open_store.hpp"
#include "kernel/clock.hpp"
#include "kernel/id.hpp"
#include "store/chronicle.hpp"
#include "store/database.hpp"
#include "store/wait.hpp"

#include <functional>
#include <memory>
#include <string>

namespace hive::cli {

// A hive reached through its store, with or without a server beside it. What changes is recorded in
// the audit log in the name of whoever runs the program.
class LocalHive {
public:
    struct Place {
        StorePlace store;
        HiveId hive;
    };
    static Result<std::unique_ptr<LocalHive>> open(Place place, StoreUse use, const Clock& clock);

    Status change(std::function<Status(rest::Change& change)> work);

    const Place& place() const noexcept { return place_; }
    const HiveId& hive() const noexcept { return place_.hive; }
    store::Database& database() noexcept { return *database_; }
    store::Chronicle& chronicle() noexcept { return chronicle_; }
    const Clock& clock() const noexcept { return clock_; }

private:
    LocalHive(Place place, std::unique_ptr<store::Database> database, const Clock& clock);

    Place place_;
    const Clock& clock_;
    std::unique_ptr<store::Database> database_;
    store::Chronicle chronicle_;
};

std::string user_name(); // of whoever runs the program; a number when it has no name

} // namespace hive::cli
