#pragma once

#include "redis/connection.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>

namespace hive::redis {

// Counters that everybody with the same server shares: each number is handed out once. They are
// taken in blocks ahead of need, so asking costs no more than a lock; what is left of a block at
// the end is given back unless somebody has counted on, and then there is a gap. Any thread.
class Counters {
public:
    static constexpr std::size_t keys_max = 100'000; // keys may be made from payloads

    struct Options {
        Server server{};
        std::string prefix = "ph:seq:";
        // Who asks for a key the first time waits that long at most, and not at all while the
        // server is known to be away.
        Duration patience = std::chrono::milliseconds{250};
    };
    explicit Counters(Options options);
    ~Counters();
    Counters(const Counters&) = delete;
    Counters& operator=(const Counters&) = delete;

    Result<std::uint64_t> next(std::string_view key); // the first is 1
    // Begins at 1 again; false when there was none. What others have taken ahead they still use.
    Result<bool> reset(std::string_view key);
    std::string trouble() const; // why the server gives nothing now

private:
    struct Range {
        std::uint64_t first;
        std::uint64_t last;
        std::uint64_t size() const noexcept { return last - first + 1; }
    };
    struct Counter {
        std::deque<Range> ranges{};
        std::uint64_t left = 0; // numbers in them
        std::uint64_t block = 0;
        bool wanted = false; // the next block is on its way
        std::string refused{};
    };
    struct Reset {
        bool done = false;
        Result<bool> was_there = false;
    };
    using Lock = std::unique_lock<std::mutex>;

    void work();
    void connect();
    void fetch(Lock& lock);
    void clear(Lock& lock);
    void give_back(Lock& lock);
    void add(Counter& counter, const Reply& reply);
    void want(const std::string& key, Counter& counter);
    void failed(Lock& lock, std::string trouble);
    Error nothing_for(std::string_view key, const Counter& counter) const;

    Options options_;
    std::unique_ptr<Connection> connection_{}; // of the thread alone
    Duration backoff_{};

    mutable std::mutex mutex_{}; // for what follows
    std::condition_variable changed_{};
    std::map<std::string, Counter, std::less<>> counters_{};
    std::set<std::string> wanted_{};
    std::map<std::string, std::shared_ptr<Reset>> resets_{}; // also with whoever waits for them
    std::string trouble_{};
    bool stop_ = false;
    std::thread thread_; // last: it uses all of the above
};

} // namespace hive::redis
