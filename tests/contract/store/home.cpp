#include "tests/contract/store/home.hpp"

#include "store/dialect.hpp"

#include <stdexcept>

namespace hive::tests {
namespace {

void must(const Status& status) {
    if (!status) throw std::runtime_error(status.error().detail);
}

} // namespace

StoreUnderTest::StoreUnderTest(const store::Limits& limits) : home_{make_home()}, limits_{limits} {
    reopen();
    must(write([&](store::Session& session) -> Status {
        const auto made = session.execute(
            store::translate(
                "CREATE TABLE thing (id {int64} PRIMARY KEY, name {text} NOT NULL){strict}",
                db().engine()),
            {});
        if (!made) return fail(made.error());
        return {};
    }));
}

void StoreUnderTest::reopen() {
    database_.reset();
    database_ = home_->open(limits_);
}

Status StoreUnderTest::add(std::int64_t id, std::string_view name) {
    return write(insert_thing(id, std::string{name}));
}

std::vector<std::int64_t> StoreUnderTest::ids() {
    std::vector<std::int64_t> found;
    must(read([&](store::Session& session) -> Status {
        found.clear();
        return session.query("SELECT id FROM thing ORDER BY id", {}, [&](const store::Row& row) {
            found.push_back(row.integer(0));
        });
    }));
    return found;
}

Gate::Gate(store::Database& database) {
    must(database.write(
        {.work = [this](store::Session&) -> Status {
            std::unique_lock lock{mutex_};
            entered_ = true;
            changed_.notify_all();
            changed_.wait(lock, [&] { return open_; });
            return {};
        }},
        [this](const Status&) {
            const std::lock_guard lock{mutex_};
            done_ = true;
            changed_.notify_all();
        }));
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return entered_; });
}

void Gate::open() {
    std::unique_lock lock{mutex_};
    open_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return done_; });
}

store::Done Outcomes::expect() {
    const std::lock_guard lock{mutex_};
    const std::size_t at = found_.size();
    found_.emplace_back(fail(Errc::closed, "not completed"));
    ++missing_;
    return [this, at](Status status) {
        const std::lock_guard inner{mutex_};
        found_[at] = std::move(status);
        --missing_;
        changed_.notify_all();
    };
}

std::vector<Status> Outcomes::wait() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return missing_ == 0; });
    return found_;
}

} // namespace hive::tests
