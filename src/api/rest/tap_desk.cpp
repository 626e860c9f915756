#include "api/rest/tap_desk.hpp"

#include "kernel/encoding.hpp"
#include "kernel/entropy.hpp"
#include "kernel/text.hpp"
#include "kernel/timestamp.hpp"
#include "wire/names.hpp"
#include "wire/work_codec.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <vector>

namespace hive::rest {
namespace {

constexpr std::size_t prefetch = 32;
constexpr std::size_t preview_bytes = 1024;

std::uint32_t fresh_nonce() {
    std::array<std::uint8_t, 4> bytes{};
    fill_from_entropy(bytes);
    return std::bit_cast<std::uint32_t>(bytes);
}

Error no_tap(std::string_view id) {
    return {Errc::not_found, fmt::format("there is no tap '{}'; it may have expired", id)};
}

} // namespace

TapDesk::TapDesk(bus::Connection& bus, const Clock& clock, TapLimits limits)
    : bus_{bus}, clock_{clock}, limits_{limits} {
    strand_.every(std::chrono::seconds{1}, [this] { expire(); });
}

TapDesk::~TapDesk() {
    strand_.close();
    for (auto& [id, tap] : taps_) end(tap);
}

void TapDesk::open(TapWish wish, Answered answered) {
    strand_.post(
        [this, wish = std::move(wish), answered = std::move(answered)] { answered(make(wish)); });
}

void TapDesk::peek(std::string id, Answered answered) {
    strand_.post(
        [this, id = std::move(id), answered = std::move(answered)] { answered(read(id, true)); });
}

void TapDesk::drain(std::string id, Answered answered) {
    strand_.post(
        [this, id = std::move(id), answered = std::move(answered)] { answered(read(id, false)); });
}

void TapDesk::close(std::string id, Answered answered) {
    strand_.post([this, id = std::move(id), answered = std::move(answered)] {
        const auto found = taps_.find(id);
        if (found == taps_.end()) return answered(fail(no_tap(id)));
        json::object last = describe(id, found->second);
        end(found->second);
        taps_.erase(found);
        answered(std::move(last));
    });
}

Result<json::object> TapDesk::make(TapWish wish) {
    expire();
    if (taps_.size() >= limits_.taps) {
        return fail(
            Errc::limit, fmt::format("this server has {} taps already; close one", limits_.taps));
    }
    if (wish.max < 1 || wish.max > limits_.items) {
        return fail(Errc::invalid, fmt::format("max: from 1 to {}", limits_.items));
    }
    if (wish.ttl <= Duration::zero() || wish.ttl > limits_.ttl_most) {
        return fail(Errc::invalid, "ttl: more than nothing and at most an hour");
    }
    const std::uint32_t nonce = fresh_nonce();
    const std::string name = wire::debug_tap(wish.swarm, wish.role, nonce);
    const bus::Layout layout{
        .queues =
            {{.name = name,
              .durable = false,
              .exclusive = true,
              .auto_delete = true,
              .message_ttl = wish.ttl,
              .max_length = wish.max,
              .overflow = bus::Overflow::drop_oldest}},
        .bindings = {
            {wire::work_exchange(wish.swarm), wire::work_queue(wish.swarm, wish.queue), name}}};
    Tap tap{
        .wish = wish,
        .queue = name,
        .expires = clock_.wall() + wish.ttl,
        .deadline = clock_.now() + wish.ttl};
    auto declared = bus_.topology().declare(layout);
    if (declared) {
        auto receiver = bus_.work().open_receiver({.queue = name, .prefetch = prefetch});
        if (receiver) {
            tap.receiver = std::move(*receiver);
        } else {
            declared = fail(receiver.error());
        }
    }
    if (!declared) {
        end(tap);
        return fail(declared.error());
    }
    const std::string id = fmt::format("tap-{:08x}", nonce);
    return describe(id, taps_.insert_or_assign(id, std::move(tap)).first->second);
}

Result<json::object> TapDesk::read(const std::string& id, bool keep) {
    expire();
    const auto found = taps_.find(id);
    if (found == taps_.end()) return fail(no_tap(id));
    Tap& tap = found->second;
    if (auto ok = fetch(tap); !ok) return fail(ok.error());
    json::object out = describe(id, tap);
    if (!keep) {
        tap.items.clear();
        tap.bytes = 0;
        tap.dropped = 0;
    }
    return out;
}

// Everything that is there now; not more than a tap holds, for new items may come all the time.
Status TapDesk::fetch(Tap& tap) const {
    std::size_t seen = 0;
    while (seen < tap.wish.max + prefetch) {
        const auto items = tap.receiver->receive(prefetch, Duration::zero());
        if (!items) return fail(items.error());
        if (items->empty()) return {};
        std::vector<std::uint64_t> tags;
        for (const bus::Delivered& delivered : *items) {
            hold(tap, delivered.item);
            tags.push_back(delivered.tag);
        }
        seen += tags.size();
        if (auto ok = tap.receiver->ack(tags); !ok) return ok;
    }
    return {};
}

void TapDesk::hold(Tap& tap, const wire::WorkItem& item) const {
    std::string text;
    wire::encode(item, text);
    Item held{.shown = {{"seenAt", format_timestamp(clock_.wall())}, {"bytes", text.size()}}};
    auto whole = text.size() <= limits_.item_bytes ? parse_json(text, {.bytes = text.size() + 1})
                                                   : Result<json::value>{fail(Errc::limit, "")};
    if (whole) {
        held.shown["item"] = std::move(*whole);
        held.bytes = text.size();
    } else {
        held.shown["beginning"] = printable(text, preview_bytes);
        held.bytes = preview_bytes;
    }
    tap.bytes += held.bytes;
    tap.items.push_back(std::move(held));
    while (tap.items.size() > tap.wish.max || tap.bytes > limits_.bytes) {
        tap.bytes -= tap.items.front().bytes;
        tap.items.pop_front();
        ++tap.dropped;
    }
}

json::object TapDesk::describe(const std::string& id, const Tap& tap) const {
    json::array items;
    for (const Item& item : tap.items) items.push_back(item.shown);
    return {
        {"id", id},
        {"swarm", tap.wish.swarm.text()},
        {"queue", tap.wish.queue.text()},
        {"max", tap.wish.max},
        {"expiresAt", format_timestamp(tap.expires)},
        {"dropped", tap.dropped},
        {"items", std::move(items)}};
}

void TapDesk::expire() {
    const TimePoint now = clock_.now();
    for (auto at = taps_.begin(); at != taps_.end();) {
        if (now < at->second.deadline) {
            ++at;
            continue;
        }
        end(at->second);
        at = taps_.erase(at);
    }
}

void TapDesk::end(Tap& tap) {
    tap.receiver.reset();
    // The queue goes with its consumer; this is for one that never had any. Should it fail, the
    // queue is bounded and ends with the connection.
    static_cast<void>(bus_.topology().remove_queue(tap.queue));
}

} // namespace hive::rest
