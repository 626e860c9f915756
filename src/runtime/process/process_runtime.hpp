#pragma once

#include "kernel/log.hpp"
#include "runtime/runtime.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hive::runtime::process {

struct Options {
    std::string program; // what to run: this binary
    // What else to run for bees of some roles, with the role as its only argument.
    std::map<std::string, std::string> programs{};
    // Records of who runs (`run/`) and their output (`logs/`). Shared by the server and all its
    // controllers, so that each finds what another one started.
    std::string directory;
    std::size_t log_bytes_max = std::size_t{4} << 20U; // then it is rotated
    std::size_t logs_kept = 3;
    std::size_t last_lines = 20;
    Duration lock_patience = std::chrono::seconds{10}; // while another one launches in the swarm
};

// Components as processes: `PROGRAM controller` and `PROGRAM worker ROLE`, told the rest by their
// environment. They outlive whoever launched them, and are found again by their records.
Result<std::unique_ptr<Runtime>> make_runtime(Options options, const Clock& clock, Logger log);

// A record, and whether its process lives; for `hive doctor`, which knows whether a hive does, too.
struct Orphan {
    Name name;
    int pid = 0;
    bool alive = false;
    std::string log{};
};
// Every record there, by name. Changes nothing; none when there is no such directory.
Result<std::vector<Orphan>> find_records(const std::string& directory);

} // namespace hive::runtime::process
