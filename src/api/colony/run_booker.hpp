#pragma once

#include "api/colony/workplace.hpp"
#include "api/rest/chores.hpp"
#include "kernel/clock.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace hive::rest {

// Books the CPU time of runs that ended, once each: the key of the record is the run.
class RunBooker {
public:
    // From any thread; a second time about the same run changes nothing.
    void ended(const std::string& run, const std::string& swarm, Duration cpu);

    static Chore
    chore(const std::shared_ptr<RunBooker>& booker, const HiveId& hive, ColonyParts& colony);

private:
    Status book_all(Workplace& place);

    struct Ended {
        std::string swarm;
        Duration cpu{};
    };
    std::mutex mutex_;
    std::map<std::string, Ended> waiting_; // by run, until the booking is committed
};

} // namespace hive::rest
