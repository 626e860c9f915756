#include "redis/list_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::redis {
namespace {

constexpr std::size_t batch_max = 256;
constexpr Duration look_again = std::chrono::milliseconds{100}; // at lists that were empty
constexpr Duration backoff_least = std::chrono::milliseconds{50};
constexpr Duration backoff_most = std::chrono::seconds{5};

TimePoint now() {
    return SystemClock{}.now();
}

} // namespace

ListReader::ListReader(Options options)
    : options_{std::move(options)}, random_{options_.seed}, dry_until_(options_.sources.size()),
      thread_{[this] { work(); }} {}

ListReader::~ListReader() {
    {
        const std::scoped_lock lock{mutex_};
        stop_ = true;
        changed_.notify_all();
    }
    thread_.join();
}

std::optional<Element> ListReader::next() {
    const std::scoped_lock lock{mutex_};
    if (ready_.empty()) {
        starved_ = true;
        changed_.notify_all();
        return std::nullopt;
    }
    Element element = std::move(ready_.front());
    ready_.pop_front();
    if (ready_.size() == options_.prefetch / 2) changed_.notify_all();
    return element;
}

void ListReader::done(std::uint64_t token) {
    const std::scoped_lock lock{mutex_};
    settled_.push_back({token, false});
    if (settled_.size() == 1) changed_.notify_all();
}

void ListReader::refuse(std::uint64_t token) {
    const std::scoped_lock lock{mutex_};
    settled_.push_back({token, true});
    if (settled_.size() == 1) changed_.notify_all();
}

ListReader::State ListReader::state() const {
    const std::scoped_lock lock{mutex_};
    return state_;
}

void ListReader::set_state(State state) {
    const std::scoped_lock lock{mutex_};
    state_ = std::move(state);
}

bool ListReader::stopped() const {
    const std::scoped_lock lock{mutex_};
    return stop_;
}

std::string ListReader::kept_in(std::size_t source) const {
    return fmt::format("{}:processing:{}", options_.sources[source].list, options_.owner);
}

void ListReader::work() {
    while (!stopped()) {
        if (!connection_) {
            connect();
            continue;
        }
        const Batch batch = next_batch();
        if (batch.commands.empty()) {
            rest(look_again);
        } else {
            run(batch);
        }
    }
    put_back();
}

// Until there is room or something to settle.
void ListReader::rest(Duration longest) {
    std::unique_lock lock{mutex_};
    changed_.wait_for(lock, longest, [this] {
        const bool more = !state_.empty && state_.trouble.empty();
        const bool room = more && ready_.size() <= options_.prefetch / 2;
        return stop_ || (connection_ && (!settled_.empty() || room));
    });
}

void ListReader::connect() {
    auto opened = Connection::open(options_.server);
    Status ok = opened ? Status{} : fail(opened.error());
    if (opened) {
        connection_ = *std::move(opened);
        ok = take_again();
    }
    if (ok) {
        backoff_ = {};
        return set_state({});
    }
    connection_.reset();
    set_state({.trouble = ok.error().detail});
    backoff_ = std::clamp(backoff_ * 2, backoff_least, backoff_most);
    rest(backoff_);
}

// What is in the owner's lists beyond what this life knows of: taken by a life before, or by a
// command whose answer was lost. Equal elements are only told apart by their number.
Status ListReader::take_again() {
    std::vector<Element> found;
    for (std::size_t i = 0; i < options_.sources.size(); ++i) {
        auto kept = connection_->run(Command{"LRANGE", kept_in(i), "0", "-1"});
        if (!kept) return fail(kept.error());
        std::map<std::string_view, std::size_t> known;
        for (const auto& [token, held] : held_) {
            if (held.source == i) ++known[held.text];
        }
        std::vector<Element> from_here;
        for (Reply& each : kept->list) {
            if (const auto at = known.find(each.text); at != known.end() && at->second > 0) {
                --at->second;
                continue;
            }
            from_here.push_back({++last_token_, options_.sources[i].list, std::move(each.text)});
        }
        for (const Element& each : from_here) held_[each.token] = {i, each.text};
        std::ranges::move(from_here, std::back_inserter(found));
    }
    hand_over(std::move(found), true);
    return {};
}

void ListReader::hand_over(std::vector<Element> elements, bool first) {
    if (elements.empty()) return;
    bool ring = false;
    {
        const std::scoped_lock lock{mutex_};
        ready_.insert(
            first ? ready_.begin() : ready_.end(), std::make_move_iterator(elements.begin()),
            std::make_move_iterator(elements.end()));
        ring = std::exchange(starved_, false);
    }
    if (ring && options_.ring) options_.ring();
}

ListReader::Batch ListReader::next_batch() {
    Batch batch;
    std::size_t room = 0;
    {
        const std::scoped_lock lock{mutex_};
        batch.settled = std::exchange(settled_, {});
        if (ready_.size() <= options_.prefetch / 2) room = options_.prefetch - ready_.size();
    }
    add_settled(batch);
    add_picks(batch, std::min(room, batch_max));
    return batch;
}

// They are the oldest as a rule, so each is found at once.
void ListReader::add_settled(Batch& batch) {
    for (const Settled& each : batch.settled) {
        const auto at = held_.find(each.token);
        if (at == held_.end()) continue;
        const auto& [source, text] = at->second;
        batch.commands.push_back({"LREM", kept_in(source), "1", text});
        if (!each.dead) continue;
        // First the new place, then the old one: at worst it is in both.
        batch.commands.insert(
            batch.commands.end() - 1, {"RPUSH", options_.sources[source].list + ":dead", text});
    }
}

void ListReader::add_picks(Batch& batch, std::size_t room) {
    for (std::size_t i = 0; i < room; ++i) {
        const auto source = pick();
        if (!source) return;
        batch.picks.push_back(*source);
        batch.commands.push_back(
            {"LMOVE", options_.sources[*source].list, kept_in(*source), "LEFT", "RIGHT"});
    }
}

std::optional<std::size_t> ListReader::pick() {
    const TimePoint time = now();
    const auto& sources = options_.sources;
    const auto wet = [&](std::size_t i) { return dry_until_[i] <= time; };
    if (options_.pick == Pick::round_robin) {
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const std::size_t at = cursor_++ % sources.size();
            if (wet(at)) return at;
        }
        return std::nullopt;
    }
    double sum = 0;
    for (std::size_t i = 0; i < sources.size(); ++i) sum += wet(i) ? sources[i].weight : 0;
    double left = random_.unit() * sum;
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        if (!wet(i)) continue;
        last = i;
        left -= sources[i].weight;
        if (left < 0) break;
    }
    return last;
}

void ListReader::run(const Batch& batch) {
    auto replies = connection_->run(batch.commands);
    // Even when nobody knows: what is still there will be found by take_again().
    for (const Settled& each : batch.settled) held_.erase(each.token);
    if (!replies) {
        connection_.reset();
        return set_state({.trouble = replies.error().detail});
    }
    const std::size_t settled = batch.commands.size() - batch.picks.size();
    take_in(batch, std::span{*replies}.subspan(settled));
}

void ListReader::take_in(const Batch& batch, std::span<Reply> replies) {
    std::vector<Element> taken;
    std::string trouble;
    for (std::size_t i = 0; i < replies.size(); ++i) {
        const std::size_t source = batch.picks[i];
        const std::string& list = options_.sources[source].list;
        if (replies[i].is(Reply::Kind::text)) {
            held_[++last_token_] = {source, replies[i].text};
            taken.push_back({last_token_, list, std::move(replies[i].text)});
            continue;
        }
        dry_until_[source] = now() + look_again;
        if (replies[i].is(Reply::Kind::error)) {
            trouble = fmt::format("the list {} cannot be read: {}", list, replies[i].text);
        }
    }
    const TimePoint time = now();
    const bool empty = std::ranges::all_of(dry_until_, [&](auto at) { return at > time; });
    if (!batch.picks.empty()) set_state({.empty = empty && trouble.empty(), .trouble = trouble});
    hand_over(std::move(taken), false);
}

// In one piece for each batch, the newest first, so that they stand where they stood.
void ListReader::put_back() {
    if (!connection_) return;
    Batch last;
    {
        const std::scoped_lock lock{mutex_};
        last.settled = std::exchange(settled_, {});
    }
    add_settled(last);
    if (!last.commands.empty()) run(last);
    std::vector<Command> commands;
    for (auto at = held_.rbegin(); connection_ && at != held_.rend();) {
        commands = {{"MULTI"}};
        for (std::size_t i = 0; i < batch_max && at != held_.rend(); ++i, ++at) {
            const auto& [source, text] = at->second;
            commands.push_back({"LREM", kept_in(source), "-1", text});
            commands.push_back({"LPUSH", options_.sources[source].list, text});
        }
        commands.push_back({"EXEC"});
        if (!connection_->run(commands)) connection_.reset(); // the next life takes them
    }
}

} // namespace hive::redis
