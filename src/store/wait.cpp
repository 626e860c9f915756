#include "store/wait.hpp"

#include "store/store_thread.hpp"

#include <cassert>
#include <future>

namespace hive::store {
namespace {

Status wait(Database& database, Status (Database::*submit)(Unit, Done), Unit unit) {
    assert(!StoreThread::is_current() && "a unit or a completion would wait for its own thread");
    std::promise<Status> promise;
    auto done = promise.get_future();
    const Status taken = (database.*submit)(
        std::move(unit), [&](Status status) { promise.set_value(std::move(status)); });
    return taken ? done.get() : taken;
}

} // namespace

Status write_and_wait(Database& database, Unit unit) {
    return wait(database, &Database::write, std::move(unit));
}

Status read_and_wait(Database& database, Unit unit) {
    return wait(database, &Database::read, std::move(unit));
}

} // namespace hive::store
