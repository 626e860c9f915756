#include "redis/list_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace hive::redis {
namespace {

constexpr std::size_t batch_max = 256;
constexpr Duration backoff_least = std::chrono::milliseconds{50};
constexpr Duration backoff_most = std::chrono::seconds{5};

} // namespace

ListWriter::ListWriter(Options options)
    : options_{std::move(options)}, thread_{[this] { work(); }} {}

ListWriter::~ListWriter() {
    {
        const std::scoped_lock lock{mutex_};
        stop_ = true;
        changed_.notify_all();
    }
    thread_.join();
}

bool ListWriter::offer(Push& push) {
    const std::scoped_lock lock{mutex_};
    if (queue_.size() >= options_.window) return false;
    queue_.push_back({std::move(push)});
    if (queue_.size() == 1) changed_.notify_all();
    return true;
}

std::uint64_t ListWriter::accepted() const {
    const std::scoped_lock lock{mutex_};
    return confirmed_ + queue_.size();
}

std::uint64_t ListWriter::confirmed() const {
    const std::scoped_lock lock{mutex_};
    return confirmed_;
}

std::string ListWriter::trouble() const {
    const std::scoped_lock lock{mutex_};
    return trouble_;
}

void ListWriter::work() {
    for (;;) {
        {
            std::unique_lock lock{mutex_};
            changed_.wait(lock, [this] { return stop_ || !queue_.empty(); });
            if (stop_ && (queue_.empty() || !trouble_.empty())) return;
        }
        if (connection_) {
            run(next_batch());
        } else {
            connect();
        }
    }
}

void ListWriter::connect() {
    auto opened = Connection::open(options_.server);
    if (!opened) return failed(opened.error().detail);
    connection_ = *std::move(opened);
}

void ListWriter::failed(std::string trouble) {
    backoff_ = std::clamp(backoff_ * 2, backoff_least, backoff_most);
    std::unique_lock lock{mutex_};
    trouble_ = std::move(trouble);
    changed_.wait_for(lock, backoff_, [this] { return stop_; });
}

// Neighbours for the same list go in one command.
ListWriter::Batch ListWriter::next_batch() {
    Batch batch;
    const std::scoped_lock lock{mutex_};
    for (Entry& entry : queue_) {
        if (batch.entries.size() == batch_max) break;
        if (entry.arrived) continue;
        if (batch.entries.empty() || batch.entries.back()->push.list != entry.push.list) {
            batch.commands.push_back(
                {options_.end == End::right ? "RPUSH" : "LPUSH", entry.push.list});
        }
        batch.commands.back().push_back(entry.push.text);
        batch.entries.push_back(&entry);
        batch.of.push_back(batch.commands.size() - 1);
    }
    add_limits(batch);
    return batch;
}

void ListWriter::add_limits(Batch& batch) const {
    if (options_.max_length < 1) return;
    std::set<std::string_view> lists;
    for (const Entry* entry : batch.entries) lists.insert(entry->push.list);
    const std::string most = std::to_string(options_.max_length);
    for (const std::string_view list : lists) {
        if (options_.end == End::right) {
            batch.commands.push_back({"LTRIM", std::string{list}, "-" + most, "-1"});
        } else {
            batch.commands.push_back(
                {"LTRIM", std::string{list}, "0", std::to_string(options_.max_length - 1)});
        }
    }
}

void ListWriter::run(const Batch& batch) {
    const auto replies = connection_->run(batch.commands);
    if (replies) return settle(batch, *replies);
    connection_.reset();
    failed(replies.error().detail);
}

void ListWriter::settle(const Batch& batch, std::span<const Reply> replies) {
    std::string trouble;
    {
        const std::scoped_lock lock{mutex_};
        for (std::size_t i = 0; i < batch.entries.size(); ++i) {
            const Reply& reply = replies[batch.of[i]];
            batch.entries[i]->arrived = !reply.is(Reply::Kind::error);
            if (batch.entries[i]->arrived) continue;
            trouble = fmt::format(
                "the list {} takes nothing: {}", batch.entries[i]->push.list, reply.text);
        }
        for (; !queue_.empty() && queue_.front().arrived; ++confirmed_) queue_.pop_front();
        if (trouble.empty()) trouble_.clear();
    }
    if (options_.ring) options_.ring();
    if (!trouble.empty()) return failed(std::move(trouble));
    backoff_ = {};
}

} // namespace hive::redis
