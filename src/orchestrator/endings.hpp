#pragma once

#include "kernel/subscription.hpp"
#include "orchestrator/state.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace hive::orchestrator {

// Who waits for the end of what they asked for, and what ended lately. Used from any thread.
class Endings {
public:
    using Tell = std::function<void(const Ended&)>;

    void ended(const Ended& ended);
    Subscription when(const std::string& correlation_id, Tell tell);

private:
    struct Book {
        std::recursive_mutex mutex; // whoever is told may ask for another
        std::multimap<std::string, std::pair<std::uint64_t, Tell>> waiting;
        std::map<std::string, Ended> lately;
        std::deque<std::string> order; // of `lately`, the oldest first
        std::uint64_t next = 1;
    };
    std::shared_ptr<Book> book_ = std::make_shared<Book>(); // shared with subscriptions
};

} // namespace hive::orchestrator
