#include "store/threaded_database.hpp"

#include <limits>

namespace hive::store {
namespace {

void abandon(UnitQueue& queue) {
    auto left = queue.take(std::numeric_limits<std::size_t>::max(), Duration{0});
    for (auto& pending : left) {
        pending.outcome = fail(Errc::closed, "the store was closed first; nothing was applied");
    }
    complete(left);
}

} // namespace

ThreadedDatabase::ThreadedDatabase(Engine engine, ConnectionFactory connect, Limits limits)
    : engine_{engine}, connect_{std::move(connect)}, writes_{limits.writes_waiting, "writes"},
      reads_{limits.reads_waiting, "reads"},
      writer_{connect_(Access::write), writes_, limits.writer} {
    threads_.emplace_back([this] { writer_.run(); });
    for (std::size_t i = 0; i < limits.readers; ++i) {
        Reader& reader = readers_.emplace_back(connect_(Access::read), reads_);
        threads_.emplace_back([&reader] { reader.run(); });
    }
}

ThreadedDatabase::~ThreadedDatabase() {
    constexpr Duration patience = std::chrono::seconds{10};
    // Nothing to report it to: whoever cares about unfinished units closes the store himself.
    static_cast<void>(close(patience));
}

Status ThreadedDatabase::write(Unit unit, Done done) {
    return writes_.push(std::move(unit), std::move(done));
}

Status ThreadedDatabase::read(Unit unit, Done done) {
    return reads_.push(std::move(unit), std::move(done));
}

Status ThreadedDatabase::close(Duration within) {
    const TimePoint deadline = SystemClock{}.now() + within;
    writes_.close();
    reads_.close();
    bool in_time = true;
    for (auto& thread : threads_) in_time = thread.wait_until(deadline) && in_time;
    if (in_time) return {};
    abandon(writes_);
    abandon(reads_);
    return fail(Errc::timeout, "the store could not finish its units in time and refused the rest");
}

} // namespace hive::store
