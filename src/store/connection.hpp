#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "store/session.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace hive::store {

// How a transaction ended that did not commit, and so what to do with the units in it.
enum class Loss : std::uint8_t {
    repeat,   // nothing was applied; the same units may succeed when run again
    alone,    // nothing was applied; one unit may have spoilt it for the others
    everyone, // nothing was applied; no unit would fare better now
    unknown,  // it may have been applied
};

struct Broken {
    Loss loss = Loss::everyone;
    Error error{};
};

using Step = tl::expected<void, Broken>;

inline auto broken(Loss loss, Error error) {
    return tl::unexpected<Broken>(Broken{loss, std::move(error)});
}

// One connection of an engine, with at most one transaction: what the writer and the readers need
// of an adapter. It connects when it must and again after a loss. Used by one thread at a time.
class Connection {
public:
    virtual ~Connection() = default;

    virtual Step begin() = 0;
    // Between these two a unit runs in `session()`. Dropping it undoes that unit alone.
    virtual Step begin_unit(TimePoint deadline) = 0;
    virtual Step end_unit(bool keep) = 0;
    virtual Session& session() = 0;
    virtual Step commit() = 0;
    virtual void rollback() = 0; // harmless without a transaction

    // Called now and then while there is nothing to do: time for housekeeping.
    virtual void idle() = 0;
};

enum class Access : std::uint8_t { write, read };

// Makes a connection object; connecting itself happens in begin().
using ConnectionFactory = std::function<std::unique_ptr<Connection>(Access access)>;

} // namespace hive::store
