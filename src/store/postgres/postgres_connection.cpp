#include "store/postgres/postgres_connection.hpp"

#include "kernel/uuid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace hive::store::postgres {
namespace {

// Shared by every server on a database; the digits mean nothing.
constexpr std::string_view take_write_lock = "SELECT pg_advisory_xact_lock(4850713269)";
constexpr std::string_view begin_unit_text = "SAVEPOINT unit";

TimePoint now() {
    return SystemClock{}.now();
}

std::int64_t milliseconds(Duration duration) {
    return std::chrono::ceil<std::chrono::milliseconds>(duration).count();
}

std::string writer_name() {
    auto random = Random::from_entropy();
    return make_uuid(random);
}

} // namespace

PostgresConnection::PostgresConnection(std::string url, Access access, Patience patience)
    : url_{std::move(url)}, access_{access}, patience_{patience}, writer_{writer_name()} {}

Status PostgresConnection::connect(TimePoint deadline) {
    disconnect();
    auto link = Link::open(url_, deadline);
    if (!link) return fail(link.error());
    link_ = std::move(*link);
    session_.attach(link_.get());
    session_.limit(deadline);
    auto ready = prepare_link();
    session_.forget();
    if (!ready) disconnect();
    return ready;
}

Status PostgresConnection::prepare_link() {
    // A commit that is told is on disk, whatever the server's default.
    session_.control("SELECT set_config('synchronous_commit', 'on', false) "
                     "WHERE current_setting('synchronous_commit') = 'off'");
    session_.control(fmt::format("SET lock_timeout = {}", milliseconds(patience_.lock)));
    session_.control("SET client_min_messages = warning");
    // A server of ours that froze or vanished must not keep the others waiting for its lock.
    session_.control("SET idle_in_transaction_session_timeout = '60s'");
    session_.control(
        "SELECT set_config(name, '2s', false) FROM pg_settings "
        "WHERE name = 'client_connection_check_interval'"); // servers before 14 have none
    if (access_ == Access::read) return session_.flush();

    session_.control("BEGIN");
    session_.control(std::string{take_write_lock});
    session_.control("CREATE TABLE IF NOT EXISTS store_writer (writer TEXT PRIMARY KEY, "
                     "batch BIGINT NOT NULL, seen TIMESTAMPTZ NOT NULL)");
    session_.control("DELETE FROM store_writer WHERE seen < now() - interval '7 days'");
    session_.control(fmt::format(
        "INSERT INTO store_writer VALUES ('{}', 0, now()) ON CONFLICT DO NOTHING", writer_));
    session_.control(fmt::format(
        "PREPARE number_commit (BIGINT) AS "
        "UPDATE store_writer SET batch = $1, seen = now() WHERE writer = '{}'",
        writer_));
    session_.control("COMMIT");
    return session_.flush();
}

void PostgresConnection::disconnect() {
    session_.attach(nullptr);
    link_.reset();
}

// The first units that meet an outage wait for its end; once that took too long, later ones are
// told at once, with an attempt to connect now and then.
Status PostgresConnection::ensure_connected() {
    if (link_ && link_->alive()) return {};
    const TimePoint give_up = now() + (away_ ? Duration{0} : patience_.outage);
    Duration backoff = patience_.backoff_min;
    Status status = fail(Errc::unavailable, "PostgreSQL is away; nothing was applied");
    if (away_ && now() < retry_at_) return status;
    for (;;) {
        status = connect(now() + patience_.connect);
        if (status) break;
        if (now() + backoff >= give_up) break;
        std::this_thread::sleep_for(backoff);
        backoff = std::min(backoff * 2, patience_.backoff_max);
    }
    away_ = !status.has_value();
    retry_at_ = now() + patience_.backoff_max;
    if (!status) {
        return fail(status.error().code, status.error().detail + "; nothing was applied");
    }
    return {};
}

Step PostgresConnection::begin() {
    if (auto ok = ensure_connected(); !ok) return broken(Loss::everyone, ok.error());
    session_.forget();
    if (access_ == Access::read) {
        session_.control("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    } else {
        session_.control("BEGIN");
        session_.control(std::string{take_write_lock});
    }
    return {};
}

Step PostgresConnection::begin_unit(TimePoint deadline) {
    session_.limit(deadline);
    if (access_ == Access::write) session_.control(std::string{begin_unit_text});
    return {};
}

Step PostgresConnection::end_unit(bool keep) {
    const auto& trouble = session_.trouble();
    if (trouble && (trouble->reach != Reach::statement || session_.control_failed())) return lost();
    if (access_ == Access::read) return {};
    session_.pardon();
    if (session_.retract(begin_unit_text)) return {}; // the unit did nothing
    if (!keep) session_.control("ROLLBACK TO unit");
    session_.control("RELEASE unit");
    return {};
}

// What to do after an error that took the transaction with it.
Step PostgresConnection::lost() {
    const Trouble trouble = *session_.trouble();
    if (trouble.reach == Reach::connection) disconnect();
    if (trouble.reach != Reach::statement) return broken(Loss::repeat, trouble.error);
    return broken(Loss::everyone, trouble.error);
}

Step PostgresConnection::commit() {
    if (!session_.sent_any()) { // no unit did anything
        session_.discard_controls();
        return {};
    }
    session_.limit(now() + patience_.commit);
    session_.control(fmt::format("EXECUTE number_commit({})", ++batch_));
    session_.control("COMMIT");
    const Status committed = session_.flush();
    if (committed) return {};
    const Trouble trouble = *session_.trouble();
    if (trouble.reach == Reach::connection || trouble.error.code == Errc::timeout) {
        return resolve(trouble.error);
    }
    return broken(trouble.reach == Reach::transaction ? Loss::repeat : Loss::alone, trouble.error);
}

// The connection died during a commit.
Step PostgresConnection::resolve(const Error& error) {
    disconnect();
    const TimePoint give_up = now() + patience_.outcome;
    Duration backoff = patience_.backoff_min;
    while (now() < give_up) {
        if (connect(std::min(give_up, now() + patience_.connect))) {
            if (const auto applied = ask_whether_applied()) {
                if (*applied) return {};
                return broken(Loss::repeat, error);
            }
        }
        std::this_thread::sleep_for(backoff);
        backoff = std::min(backoff * 2, patience_.backoff_max);
    }
    disconnect();
    return broken(
        Loss::unknown,
        {Errc::unavailable, error.detail + " during the commit; the change may have been applied"});
}

// With the lock in hand the old connection's transaction is over, one way or the other.
Result<bool> PostgresConnection::ask_whether_applied() {
    session_.forget();
    session_.limit(now() + patience_.lock + patience_.connect);
    session_.control("BEGIN");
    session_.control(std::string{take_write_lock});
    bool applied = false;
    const Status asked = session_.query(
        "SELECT batch FROM store_writer WHERE writer = $1", {writer_},
        [&](const Row& row) { applied = row.integer(0) == batch_; });
    rollback();
    if (!asked) return fail(asked.error());
    return applied;
}

void PostgresConnection::rollback() {
    if (!link_) return;
    const bool begun = session_.sent_any();
    session_.discard_controls();
    session_.forget();
    if (!begun || PQtransactionStatus(link_->raw()) == PQTRANS_IDLE) return;
    session_.limit(now() + patience_.connect);
    session_.control("ROLLBACK");
    if (!session_.flush()) disconnect();
    session_.forget();
}

} // namespace hive::store::postgres
