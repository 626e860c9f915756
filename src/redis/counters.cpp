#include "redis/counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace hive::redis {
namespace {

constexpr std::uint64_t block_least = 16; // doubles with each one that is used up
constexpr std::uint64_t block_most = 4096;
constexpr std::size_t batch_max = 256;
constexpr Duration backoff_least = std::chrono::milliseconds{50};
constexpr Duration backoff_most = std::chrono::seconds{5};

// Only while nobody has counted on.
constexpr const char* take_back =
    "if redis.call('GET',KEYS[1])==ARGV[1] then redis.call('DECRBY',KEYS[1],ARGV[2]) end return 1";

} // namespace

Counters::Counters(Options options) : options_{std::move(options)}, thread_{[this] { work(); }} {}

Counters::~Counters() {
    {
        const std::scoped_lock lock{mutex_};
        stop_ = true;
        changed_.notify_all();
    }
    thread_.join();
}

Result<std::uint64_t> Counters::next(std::string_view key) {
    Lock lock{mutex_};
    auto at = counters_.find(key);
    if (at == counters_.end()) {
        if (counters_.size() >= keys_max) {
            return fail(
                Errc::limit,
                fmt::format("there are {} sequences already; use fewer different keys", keys_max));
        }
        at = counters_.emplace(std::string{key}, Counter{}).first;
    }
    Counter& counter = at->second; // a counter stays where it is
    if (counter.left <= counter.block / 2) want(at->first, counter);
    if (counter.left == 0 && trouble_.empty()) {
        changed_.wait_for(lock, options_.patience, [&] {
            return counter.left > 0 || !trouble_.empty() || !counter.refused.empty();
        });
    }
    if (counter.left == 0) return fail(nothing_for(key, counter));
    Range& range = counter.ranges.front();
    const std::uint64_t number = range.first++;
    --counter.left;
    if (range.first > range.last) counter.ranges.pop_front();
    return number;
}

Error Counters::nothing_for(std::string_view key, const Counter& counter) const {
    const std::string why = !counter.refused.empty() ? counter.refused
                            : !trouble_.empty()      ? trouble_
                                                     : fmt::format(
                                                      "Redis at {}:{} has not answered yet",
                                                      options_.server.host, options_.server.port);
    return {Errc::unavailable, fmt::format("no number of the sequence '{}': {}", key, why)};
}

void Counters::want(const std::string& key, Counter& counter) {
    if (counter.wanted) return;
    counter.wanted = true;
    counter.refused.clear();
    wanted_.insert(key);
    changed_.notify_all();
}

Result<bool> Counters::reset(std::string_view key) {
    Lock lock{mutex_};
    if (!trouble_.empty()) return fail(Errc::unavailable, trouble_);
    auto& asked = resets_[std::string{key}];
    if (!asked) asked = std::make_shared<Reset>();
    const auto reset = asked;
    changed_.notify_all();
    changed_.wait_for(lock, options_.patience, [&] { return reset->done || !trouble_.empty(); });
    if (reset->done) return reset->was_there;
    return fail(
        Errc::unavailable,
        trouble_.empty() ? fmt::format("the sequence '{}' is not reset yet", key) : trouble_);
}

std::string Counters::trouble() const {
    const std::scoped_lock lock{mutex_};
    return trouble_;
}

void Counters::work() {
    connect(); // before the first one asks
    Lock lock{mutex_};
    for (;;) {
        changed_.wait(lock, [this] { return stop_ || !wanted_.empty() || !resets_.empty(); });
        if (stop_) break;
        if (!connection_) {
            lock.unlock();
            connect();
            lock.lock();
        } else if (!resets_.empty()) {
            clear(lock);
        } else {
            fetch(lock);
        }
    }
    give_back(lock);
}

void Counters::connect() {
    auto opened = Connection::open(options_.server);
    Lock lock{mutex_};
    if (!opened) return failed(lock, opened.error().detail);
    connection_ = *std::move(opened);
    trouble_.clear();
    backoff_ = {};
}

void Counters::failed(Lock& lock, std::string trouble) {
    connection_.reset();
    backoff_ = std::clamp(backoff_ * 2, backoff_least, backoff_most);
    trouble_ = std::move(trouble);
    // Later it would come as a surprise.
    for (auto& [key, reset] : resets_) {
        reset->was_there = fail(Errc::unavailable, trouble_);
        reset->done = true;
    }
    resets_.clear();
    changed_.notify_all();
    changed_.wait_for(lock, backoff_, [this] { return stop_; });
}

void Counters::fetch(Lock& lock) {
    std::vector<std::string> keys;
    std::vector<Command> commands;
    for (const std::string& key : wanted_) {
        if (keys.size() == batch_max) break;
        Counter& counter = counters_.find(key)->second;
        counter.block = std::clamp(counter.block * 2, block_least, block_most);
        keys.push_back(key);
        commands.push_back({"INCRBY", options_.prefix + key, std::to_string(counter.block)});
    }
    lock.unlock();
    const auto replies = connection_->run(commands);
    lock.lock();
    if (!replies) return failed(lock, replies.error().detail);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        wanted_.erase(keys[i]);
        add(counters_.find(keys[i])->second, (*replies)[i]);
    }
    changed_.notify_all();
}

void Counters::add(Counter& counter, const Reply& reply) {
    counter.wanted = false;
    const auto block = static_cast<std::int64_t>(counter.block);
    if (!reply.is(Reply::Kind::integer)) {
        counter.refused = reply.text;
    } else if (reply.integer < block) {
        counter.refused = fmt::format("the counter in Redis is below zero: {}", reply.integer);
    } else {
        counter.ranges.push_back(
            {static_cast<std::uint64_t>(reply.integer - block) + 1,
             static_cast<std::uint64_t>(reply.integer)});
        counter.left += counter.block;
    }
}

// One after another: a counter that begins anew while its next block is on the way would mix both.
void Counters::clear(Lock& lock) {
    const auto [key, reset] = *resets_.begin();
    const Command command{"DEL", options_.prefix + key};
    lock.unlock();
    const auto replies = connection_->run(std::span{&command, 1});
    lock.lock();
    if (!replies) return failed(lock, replies.error().detail);
    const Reply& reply = replies->front();
    if (reply.is(Reply::Kind::integer)) {
        reset->was_there = reply.integer > 0;
        if (const auto at = counters_.find(key); at != counters_.end()) {
            at->second.ranges.clear();
            at->second.left = 0;
        }
    } else {
        reset->was_there = fail(Errc::denied, reply.text);
    }
    reset->done = true;
    resets_.erase(key);
    changed_.notify_all();
}

void Counters::give_back(Lock& lock) {
    std::vector<Command> commands;
    for (const auto& [key, counter] : counters_) {
        std::uint64_t unused = 0;
        std::uint64_t before = 0; // the first number of the range behind
        for (auto range = counter.ranges.rbegin(); range != counter.ranges.rend(); ++range) {
            if (before != 0 && range->last + 1 != before) break;
            unused += range->size();
            before = range->first;
        }
        if (unused == 0) continue;
        commands.push_back(
            {"EVAL", take_back, "1", options_.prefix + key,
             std::to_string(counter.ranges.back().last), std::to_string(unused)});
    }
    lock.unlock();
    // Nothing depends on it: what does not arrive is a gap.
    if (connection_ && !commands.empty()) (void)connection_->run(commands);
    lock.lock();
}

} // namespace hive::redis
