#pragma once

#include "kernel/random.hpp"
#include "redis/connection.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace hive::redis {

struct Element {
    std::uint64_t token = 0;
    std::string list{};
    std::string text{};
};

enum class Pick : std::uint8_t { round_robin, weighted_random };

// Takes elements from the heads of lists, some ahead of need. Each stays in a list of its owner
// until it is settled; see the README. All functions return at once and are for one thread.
class ListReader {
public:
    struct Source {
        std::string list;
        double weight = 1;
    };
    struct Options {
        Server server{};
        std::vector<Source> sources{};
        Pick pick = Pick::round_robin;
        std::string owner{};        // the same after a restart, and nobody else's
        std::size_t prefetch = 512; // elements that lie ready
        std::uint64_t seed = 1;
        std::function<void()> ring{}; // there is something after a time without; from any thread
    };
    explicit ListReader(Options options);
    ~ListReader(); // puts back what is not settled; waits for the server, but not long
    ListReader(const ListReader&) = delete;
    ListReader& operator=(const ListReader&) = delete;

    std::optional<Element> next();
    void done(std::uint64_t token);   // it may go
    void refuse(std::uint64_t token); // to the dead elements of its list

    struct State {
        bool empty = false;    // every list, when last looked at
        std::string trouble{}; // why nothing can be read now
    };
    State state() const;

private:
    struct Held { // in the owner's list, as far as is known
        std::size_t source;
        std::string text;
    };
    struct Settled {
        std::uint64_t token;
        bool dead;
    };
    struct Batch {
        std::vector<Settled> settled{};
        std::vector<std::size_t> picks{}; // the source of each element asked for
        std::vector<Command> commands{};
    };

    void work();
    void connect();
    Status take_again();
    Batch next_batch();
    void add_settled(Batch& batch);
    void add_picks(Batch& batch, std::size_t room);
    std::optional<std::size_t> pick();
    void run(const Batch& batch);
    void take_in(const Batch& batch, std::span<Reply> replies);
    void hand_over(std::vector<Element> elements, bool first);
    void put_back();
    void rest(Duration longest);
    void set_state(State state);
    std::string kept_in(std::size_t source) const;
    bool stopped() const;

    Options options_;
    // Of the thread alone.
    Random random_;
    std::unique_ptr<Connection> connection_{};
    std::map<std::uint64_t, Held> held_{}; // in the order they were taken
    std::vector<TimePoint> dry_until_;     // when an empty list is looked at again
    std::uint64_t last_token_ = 0;
    std::size_t cursor_ = 0;
    Duration backoff_{};

    mutable std::mutex mutex_{}; // for what follows
    std::condition_variable changed_{};
    std::deque<Element> ready_{};
    std::vector<Settled> settled_{};
    State state_{};
    bool starved_ = true; // whoever reads found nothing, and is to be rung
    bool stop_ = false;
    std::thread thread_; // last: it uses all of the above
};

} // namespace hive::redis
