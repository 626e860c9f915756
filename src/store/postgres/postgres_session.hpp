#pragma once

#include "kernel/clock.hpp"
#include "store/postgres/link.hpp"
#include "store/postgres/parameters.hpp"
#include "store/session.hpp"
#include "store/statement_cache.hpp"

#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace hive::store::postgres {

// Statements on one link. Commands that begin and end transactions and savepoints wait here and
// travel with the next statement, so they cost no round trip of their own.
class PostgresSession final : public Session {
public:
    PostgresSession() = default;
    PostgresSession(const PostgresSession&) = delete;
    PostgresSession& operator=(const PostgresSession&) = delete;

    void attach(Link* link); // null: gone
    void limit(TimePoint deadline) { deadline_ = deadline; }

    void control(std::string command) { controls_.push_back(std::move(command)); }
    void discard_controls() { controls_.clear(); }
    // Takes back a control that was not sent yet; false when it is on its way.
    bool retract(std::string_view command);
    bool sent_any() const { return sent_any_; } // since the last forget()
    Status flush();                             // sends the waiting controls alone

    // What went wrong since the last forget(), and whether it was a control that failed.
    const std::optional<Trouble>& trouble() const { return trouble_; }
    bool control_failed() const { return control_failed_; }
    void pardon() { trouble_.reset(); } // a savepoint undoes it
    void forget();                      // a new transaction

    Result<std::int64_t> execute(std::string_view sql, Params params) override;
    Status query(std::string_view sql, Params params, const RowHandler& each) override;

private:
    struct Running; // one exchange with the server

    Status run(Running& running, const Parameters& parameters);
    bool send(const Running& running, const Parameters& parameters);
    void take(Running& running, std::size_t command, const PGresult& result);
    void take_rows(Running& running, const PGresult& result);
    void note(Trouble trouble);

    Link* link_ = nullptr;
    StatementCache<std::string> statements_; // text and signature -> name on the server
    std::uint64_t prepared_ = 0;
    std::vector<std::string> controls_;
    bool sent_any_ = false;
    TimePoint deadline_{};
    std::optional<Trouble> trouble_;
    bool control_failed_ = false;
    std::vector<Value> columns_;
};

} // namespace hive::store::postgres
