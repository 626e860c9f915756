#include "store/postgres/postgres_session.hpp"

#include <fmt/format.h>

#include <cassert>
#include <charconv>

namespace hive::store::postgres {
namespace {

// The server counts the rows of a SELECT too.
std::int64_t changes_of(const PGresult& result) {
    auto* writable = const_cast<PGresult*>(&result); // libpq's signature; it only reads
    std::int64_t count = 0;
    if (std::string_view{PQcmdStatus(writable)}.starts_with("SELECT")) return count;
    const std::string_view text = PQcmdTuples(writable);
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
}

} // namespace

struct PostgresSession::Running {
    std::string_view sql;             // empty: controls alone
    const RowHandler* each = nullptr; // null: rows are of no interest
    std::string name{};               // of the prepared statement
    bool known = false;               // prepared before
    bool prepared = false;            // now, whatever became of running it
    std::size_t controls = 0;
    std::int64_t changed = 0;
    std::exception_ptr thrown{}; // by the row handler; the rest must still be read

    std::size_t commands() const { return controls + (sql.empty() ? 0U : known ? 1U : 2U); }
};

void PostgresSession::attach(Link* link) {
    link_ = link;
    statements_.clear();
    controls_.clear();
    forget();
}

void PostgresSession::forget() {
    trouble_.reset();
    control_failed_ = false;
    sent_any_ = false;
}

void PostgresSession::note(Trouble trouble) {
    if (!trouble_) trouble_ = std::move(trouble);
}

bool PostgresSession::retract(std::string_view command) {
    if (controls_.empty() || controls_.back() != command) return false;
    controls_.pop_back();
    return true;
}

Status PostgresSession::flush() {
    Running running{.sql = {}};
    return controls_.empty() ? Status{} : run(running, Parameters{{}});
}

Result<std::int64_t> PostgresSession::execute(std::string_view sql, Params params) {
    Running running{.sql = sql};
    if (auto ok = run(running, Parameters{params}); !ok) return fail(ok.error());
    return running.changed;
}

Status PostgresSession::query(std::string_view sql, Params params, const RowHandler& each) {
    Running running{.sql = sql, .each = &each};
    const Status status = run(running, Parameters{params});
    if (running.thrown) std::rethrow_exception(running.thrown);
    return status;
}

Status PostgresSession::run(Running& running, const Parameters& parameters) {
    assert(link_ != nullptr);
    if (!trouble_ && SystemClock{}.now() >= deadline_) {
        note({Reach::statement, {Errc::timeout, "the unit ran out of time; nothing was applied"}});
    }
    if (trouble_) return fail(trouble_->error);
    const std::string key = fmt::format("{}:{}", parameters.signature(), running.sql);
    if (statements_.full()) {
        statements_.clear();
        control("DEALLOCATE ALL");
    }
    const std::string* name = statements_.find(key);
    running.known = name != nullptr;
    running.name = running.known ? *name : fmt::format("s{}", ++prepared_);
    running.controls = controls_.size();
    const bool sent = send(running, parameters);
    controls_.clear();
    sent_any_ = true;

    Status linked = sent ? link_->exchange(
                               {.commands = running.commands(),
                                .stream_last = running.each != nullptr,
                                .deadline = deadline_},
                               [&](std::size_t command, const PGresult& result) {
                                   take(running, command, result);
                               })
                         : fail(Errc::unavailable, one_line(PQerrorMessage(link_->raw())));
    if (!linked) {
        // What the server said before it went is the better reason.
        const std::string why = trouble_ ? trouble_->error.detail : linked.error().detail;
        trouble_ = Trouble{Reach::connection, {Errc::unavailable, why}};
    }
    if (running.prepared) statements_.add(key, running.name);
    if (trouble_) return fail(trouble_->error);
    return {};
}

bool PostgresSession::send(const Running& running, const Parameters& parameters) {
    constexpr int binary = 1;
    PGconn* raw = link_->raw();
    bool ok = link_->alive();
    for (const auto& command : controls_) {
        ok = ok && PQsendQueryParams(
                       raw, command.c_str(), 0, nullptr, nullptr, nullptr, nullptr, binary) == 1;
    }
    if (running.sql.empty()) return ok;
    if (!running.known) {
        ok = ok && PQsendPrepare(
                       raw, running.name.c_str(), std::string{running.sql}.c_str(),
                       parameters.count(), parameters.types()) == 1;
    }
    return ok && PQsendQueryPrepared(
                     raw, running.name.c_str(), parameters.count(), parameters.values(),
                     parameters.lengths(), parameters.formats(), binary) == 1;
}

void PostgresSession::take(Running& running, std::size_t command, const PGresult& result) {
    const bool is_control = command < running.controls;
    const std::string_view sql = is_control ? "transaction control" : running.sql;
    if (auto trouble = trouble_of(result, sql)) {
        control_failed_ = control_failed_ || (is_control && !trouble_);
        note(std::move(*trouble));
        return;
    }
    if (is_control) return;
    const auto status = PQresultStatus(&result);
    if (command + 1 < running.commands()) {
        running.prepared = status == PGRES_COMMAND_OK;
        return;
    }
    // Anything else was skipped because an earlier command failed.
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
        running.changed = changes_of(result);
    }
    if (status == PGRES_TUPLES_OK || status == PGRES_SINGLE_TUPLE) take_rows(running, result);
}

void PostgresSession::take_rows(Running& running, const PGresult& result) {
    if (running.each == nullptr || running.thrown || trouble_) return;
    for (int row = 0; row < PQntuples(&result); ++row) {
        columns_.clear();
        for (int column = 0; column < PQnfields(&result); ++column) {
            auto value = column_of(result, row, column);
            if (!value) {
                note({Reach::statement, value.error()});
                return;
            }
            columns_.push_back(*value);
        }
        try {
            (*running.each)(Row{columns_});
        } catch (...) {
            running.thrown = std::current_exception();
            return;
        }
    }
}

} // namespace hive::store::postgres
