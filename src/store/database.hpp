#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "store/session.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace hive::store {

enum class Engine : std::uint8_t { sqlite, postgres };

std::string_view name_of(Engine engine) noexcept;

// Everything happens, or, when it returns an error or throws, nothing. It may be run more than once
// (a lost connection, a conflict with another server), so it must change nothing but its session
// and set what it captured from scratch.
using Work = std::function<Status(Session& session)>;

struct Recording;

struct Unit {
    Work work;
    Duration within = std::chrono::seconds{10}; // from now, waiting in the queue included
    // When there is one, what the work wrote into it is appended to the audit log with its change.
    std::shared_ptr<Recording> recording{};
};

// Called exactly once, on a thread of the store; must neither block nor throw.
using Done = std::function<void(Status status)>;

// A durable store that runs units of work. Used from any thread.
class Database {
public:
    virtual ~Database() = default;

    // Runs the unit as if alone and tells `done` after its commit is on disk. Units are taken in
    // the order of the calls. An error returned here (Errc::limit: the queue is full,
    // Errc::closed) means that the unit was not taken and `done` will not be called.
    // Errc::unavailable with "may have been applied" is the one case where the outcome is unknown.
    virtual Status write(Unit unit, Done done) = 0;

    // Runs the unit on a snapshot beside the writer; it sees every write that was done before.
    virtual Status read(Unit unit, Done done) = 0;

    virtual Engine engine() const = 0;

    // Takes no more units, finishes those taken (they fail with Errc::closed after `within`).
    // Repeating it is harmless.
    virtual Status close(Duration within) = 0;
};

} // namespace hive::store
