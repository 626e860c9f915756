#pragma once

#include "redis/connection.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace hive::redis {

struct Push {
    std::string list{};
    std::string text{};
};

// Appends to lists in the background; what the server has not confirmed is sent again, so it may
// be there twice. All functions return at once and are for one thread.
class ListWriter {
public:
    enum class End : std::uint8_t { right, left };
    struct Options {
        Server server{};
        End end = End::right;
        std::int64_t max_length = -1; // of each list, the newest stay; below 1: no limit
        std::size_t window = 1024;    // pushes that are not confirmed
        std::function<void()> ring{}; // there is room, or more is confirmed; from any thread
    };
    explicit ListWriter(Options options);
    ~ListWriter(); // sends what is left, unless the server is in trouble
    ListWriter(const ListWriter&) = delete;
    ListWriter& operator=(const ListWriter&) = delete;

    [[nodiscard]] bool offer(Push& push); // moved from unless this says false: there is no room
    std::uint64_t accepted() const;
    std::uint64_t confirmed() const; // from the first without a gap
    std::string trouble() const;     // why nothing arrives now

private:
    struct Entry {
        Push push;
        bool arrived = false;
    };
    struct Batch {
        std::vector<Entry*> entries{};   // they stay where they are while others are added
        std::vector<std::size_t> of{};   // which command each entry is in
        std::vector<Command> commands{}; // pushes, then what shortens the lists
    };

    void work();
    void connect();
    Batch next_batch();
    void add_limits(Batch& batch) const;
    void run(const Batch& batch);
    void settle(const Batch& batch, std::span<const Reply> replies);
    void failed(std::string trouble);

    Options options_;
    std::unique_ptr<Connection> connection_{}; // of the thread alone
    Duration backoff_{};

    mutable std::mutex mutex_{}; // for what follows
    std::condition_variable changed_{};
    std::deque<Entry> queue_{};
    std::uint64_t confirmed_ = 0;
    std::string trouble_{};
    bool stop_ = false;
    std::thread thread_; // last: it uses all of the above
};

} // namespace hive::redis
