#pragma once

#include "call/connection.hpp"
#include "call/target.hpp"
#include "kernel/clock.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <unordered_map>
#include <vector>

namespace hive::call {

// What one lane knows about one target: its addresses, its free connections, its last TLS session.
struct Site {
    std::shared_ptr<const Target> target;
    std::vector<Tcp::endpoint> addresses{};
    TimePoint fresh_until{};
    bool resolving = false;
    Failure dns_failure{};         // of the last try, while there are no addresses
    std::vector<Timer*> waiting{}; // for the addresses; cancelled when they are there
    std::vector<std::unique_ptr<Connection>> free{}; // the last one was used last
    std::shared_ptr<SessionSlot> session = std::make_shared<SessionSlot>();
    std::size_t users = 0; // calls under way
};

// All targets of one lane. Names are resolved beside the calls, not within: an address that is old
// is used while a new one is looked up.
class Sites {
public:
    Sites(asio::io_context& io, Duration dns_ttl) : io_{io}, dns_ttl_{dns_ttl} {}

    Site& of(const std::shared_ptr<const Target>& target);
    // Another target that a redirect leads to, with the TLS rules of this one.
    Result<std::shared_ptr<const Target>> other(const Target& from, const Url& url);

    void look_up(Site& site, TimePoint now); // if it is time to

    // Closes the connection that was free for longest; false when none is free.
    bool close_oldest();
    std::size_t close_resting_since(TimePoint before); // and those the peer has closed
    bool has_free() const noexcept;
    void close_all() noexcept;

private:
    Async<void> resolve(std::shared_ptr<Site> site);
    void forget_unused();

    asio::io_context& io_;
    Duration dns_ttl_;
    // Shared with a lookup that is under way, and may end after the site was forgotten.
    std::unordered_map<const Target*, std::shared_ptr<Site>> sites_;
    std::unordered_map<std::string, std::shared_ptr<const Target>> redirects_;
    const Target* last_ = nullptr; // most lanes have only one
    Site* last_site_ = nullptr;
};

} // namespace hive::call
