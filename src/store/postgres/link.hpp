#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "store/postgres/trouble.hpp"

#include <libpq-fe.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace hive::store::postgres {

// One connection to a server, in pipeline mode: several commands travel together and cost one
// round trip. Every wait has a deadline. Once dead it stays dead.
class Link {
public:
    static Result<std::unique_ptr<Link>> open(const std::string& url, TimePoint deadline);

    explicit Link(PGconn* connection) : connection_{connection} {}

    PGconn* raw() const { return connection_.get(); }
    bool alive() const { return !dead_; }

    struct Exchange {
        std::size_t commands = 0; // sent before with PQsend...
        bool stream_last = false; // the last one gives its rows one by one
        TimePoint deadline;
    };
    using ResultHandler = std::function<void(std::size_t command, const PGresult& result)>;

    // Reads the answers to all commands in order. A command that overran the deadline is cancelled
    // and answers so. An error of its own means that the connection is lost.
    Status exchange(const Exchange& exchange, const ResultHandler& each);

private:
    struct Finish {
        void operator()(PGconn* connection) const { PQfinish(connection); }
    };

    Result<ResultPtr> next(TimePoint& deadline);
    bool wait(TimePoint deadline);
    void cancel();
    tl::unexpected<Error> died();

    std::unique_ptr<PGconn, Finish> connection_;
    bool cancelled_ = false;
    bool dead_ = false;
};

} // namespace hive::store::postgres
