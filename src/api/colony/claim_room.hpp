#pragma once

#include "colony/words.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>

namespace hive::rest {

// Where bees wait for work: each task wakes one bee that may take it, of those the one who came
// first. Waking is a hint: bees also look by themselves from time to time, because tasks may come
// through another server.
class ClaimRoom {
public:
    using Wake = std::function<void(bool)>;
    struct Seeker {
        std::string bee;
        colony::Words skills;
        colony::Words tags;
    };
    struct Offer {
        std::string assigned_to;
        colony::Words skills;
        colony::Words tags;
    };

    std::uint64_t rings() const; // so far
    // Wakes at once when it has rung since the caller looked.
    std::uint64_t enter(Seeker seeker, std::uint64_t rings_seen, Wake wake);
    void leave(std::uint64_t place);
    void ring(const Offer& offer);

private:
    struct Waiting {
        std::uint64_t place;
        Seeker seeker;
        Wake wake;
    };
    mutable std::mutex mutex_;
    std::deque<Waiting> waiting_;
    std::uint64_t next_ = 1;
    std::uint64_t rings_ = 0;
};

} // namespace hive::rest
