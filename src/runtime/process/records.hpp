#pragma once

#include "runtime/process/descriptor.hpp"
#include "runtime/process/record.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hive::runtime::process {

// Held while the records of one swarm change: of two launchers, also in two processes, one waits.
// It is on the swarm's directory, which goes with the lock when no record is left in it.
class SwarmLock {
public:
    SwarmLock(Descriptor directory, std::string path)
        : directory_{std::move(directory)}, path_{std::move(path)} {}
    SwarmLock(SwarmLock&&) noexcept = default;
    SwarmLock& operator=(SwarmLock&&) = delete;
    ~SwarmLock();

private:
    Descriptor directory_;
    std::string path_;
};

// `DIRECTORY/run/SWARM/INSTANCE.json` for every component that runs, and where its log is.
class Records {
public:
    explicit Records(std::string directory) : directory_{std::move(directory)} {}

    Status make_directories() const;

    std::string path_of(const Name& name) const;
    std::string log_of(const Name& name) const;
    Status make_log_directory(const SwarmId& swarm) const;

    struct Listing {
        std::vector<Record> records{};
        std::vector<Error> broken{}; // files that are no records; the error names them
    };
    // Complete without a lock, since records appear and go as a whole.
    Result<Listing> list() const;
    Result<Listing> list(const SwarmId& swarm) const;
    Result<std::optional<Record>> find(const Name& name) const; // whatever its role

    // Nothing while another one holds it. Makes the swarm's directory.
    Result<std::optional<SwarmLock>> try_lock(const SwarmId& swarm) const;

    // The lock of its swarm is held.
    Status write(const Record& record, const SwarmLock& lock) const;
    // Unless it is of another process by now.
    Status remove(const Record& record, const SwarmLock& lock) const;

private:
    std::string run_of(const SwarmId& swarm) const;
    Status collect(const SwarmId& swarm, Listing& listing) const;

    std::string directory_;
};

} // namespace hive::runtime::process
