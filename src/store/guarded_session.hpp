#pragma once

#include "store/database.hpp"
#include "store/session.hpp"

namespace hive::store {

// The session a unit is handed: holds every engine to the same rules. It refuses statements that
// would end the transaction it shares with other units, calls from inside a row handler (SQLite
// would allow them, PostgreSQL cannot), and everything after the first failure.
class GuardedSession final : public Session {
public:
    explicit GuardedSession(Session& inner) : inner_{inner} {}

    Result<std::int64_t> execute(std::string_view sql, Params params) override;
    Status query(std::string_view sql, Params params, const RowHandler& each) override;

    const Status& status() const { return status_; } // the first failure, if there was one

private:
    Status admit(std::string_view sql);

    Session& inner_;
    Status status_{};
    bool in_query_ = false;
};

// Runs the work of one unit. It failed when it says so, when it throws, and when a statement failed
// that it did not mention.
Status run_work(const Work& work, Session& session);

} // namespace hive::store
