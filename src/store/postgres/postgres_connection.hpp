#pragma once

#include "store/connection.hpp"
#include "store/postgres/link.hpp"
#include "store/postgres/postgres_session.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace hive::store::postgres {

struct Patience {
    Duration connect = std::chrono::seconds{5};  // for one attempt
    Duration outage = std::chrono::seconds{5};   // how long units wait for a lost server
    Duration lock = std::chrono::seconds{5};     // for another server that is writing
    Duration commit = std::chrono::seconds{30};  // for the server's disk
    Duration outcome = std::chrono::seconds{15}; // to learn what became of a cut commit
    Duration backoff_min = std::chrono::milliseconds{20};
    Duration backoff_max = std::chrono::seconds{1};
};

// A writer takes one lock that all servers on the database share, for as long as its transaction
// lasts: writers run one after the other as on SQLite, so units may read and then write without
// thinking of other servers, and the audit chain has one head. It also numbers its commits in a row
// of its own: when a connection dies during a commit, the lock and that number tell what became of
// it once the server is back.
class PostgresConnection final : public Connection {
public:
    PostgresConnection(std::string url, Access access, Patience patience);

    Status connect(TimePoint deadline); // one attempt

    Step begin() override;
    Step begin_unit(TimePoint deadline) override;
    Step end_unit(bool keep) override;
    Session& session() override { return session_; }
    Step commit() override;
    void rollback() override;
    void idle() override {}

private:
    Status prepare_link();
    Status ensure_connected();
    void disconnect();
    Step lost();
    Step resolve(const Error& error);
    Result<bool> ask_whether_applied();

    const std::string url_;
    const Access access_;
    const Patience patience_;
    const std::string writer_; // name of this connection's row in store_writer
    std::int64_t batch_ = 0;   // the number of the last commit tried
    TimePoint retry_at_{};     // while the server is away: not before
    bool away_ = false;        // the last attempts to connect used up all patience
    std::unique_ptr<Link> link_;
    PostgresSession session_;
};

} // namespace hive::store::postgres
