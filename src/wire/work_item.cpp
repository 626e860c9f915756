#include "wire/work_item.hpp"

#include <algorithm>
#include <cstdlib>

namespace hive::wire {
namespace {

template <class Entries>
auto find_entry(Entries& entries, std::string_view name) {
    return std::ranges::find_if(
        entries, [&](const auto& entry) { return entry.first.text() == name; });
}

template <class T>
void keep_newest(std::vector<T>& list, std::size_t count) {
    if (list.size() <= count) return;
    list.erase(list.begin(), list.end() - static_cast<std::ptrdiff_t>(count));
}

// An unusual item must not leave its size to those that come after it in its place.
constexpr std::size_t spare_entries_max = 16;
constexpr std::size_t spare_bytes_max = 256;

template <class T>
void make_empty(std::vector<T>& list) noexcept {
    list.clear();
    if (list.capacity() > spare_entries_max) list = std::vector<T>{};
}

// Most items have none, and then there is nothing to exchange.
void exchange(std::optional<std::string>& one, std::optional<std::string>& other) noexcept {
    if (one || other) one.swap(other);
}

std::size_t steps_kept(const HistoryPolicy& policy) {
    switch (policy.keep) {
    case History::full: return steps_max;
    case History::latest_only:
    case History::disabled: return 1;
    case History::bounded: return std::clamp<std::size_t>(policy.max_steps, 1, steps_max);
    }
    std::abort();
}

} // namespace

std::unique_ptr<char[]> HeaderName::copy_of(std::string_view text) {
    auto copy = std::make_unique_for_overwrite<char[]>(text.size());
    std::ranges::copy(text, copy.get());
    return copy;
}

const HeaderValue* Headers::find(std::string_view name) const noexcept {
    const auto found = find_entry(entries_, name);
    return found == entries_.end() ? nullptr : &found->second;
}

std::string_view Headers::text(std::string_view name) const noexcept {
    const HeaderValue* value = find(name);
    return value && !value->is_json() ? std::string_view{value->str()} : std::string_view{};
}

void Headers::set(std::string_view name, HeaderValue value) {
    if (const auto found = find_entry(entries_, name); found != entries_.end()) {
        found->second = std::move(value);
    } else {
        entries_.emplace_back(name, std::move(value));
    }
}

void Headers::set(std::string_view name, std::string value) {
    set(name, HeaderValue::text(std::move(value)));
}

void Headers::erase(std::string_view name) {
    if (const auto found = find_entry(entries_, name); found != entries_.end()) {
        entries_.erase(found);
    }
}

void Headers::clear() noexcept {
    make_empty(entries_);
}

const Stamp::Names& Stamp::names() const noexcept {
    if (names_) return *names_;
    static const Names nobody;
    return nobody;
}

std::string_view WorkItem::payload() const noexcept {
    return steps.empty() ? std::string_view{} : std::string_view{steps.back().payload};
}

Encoding WorkItem::payload_encoding() const noexcept {
    return steps.empty() ? Encoding::utf8 : steps.back().encoding;
}

void WorkItem::add_step(Step step, const HistoryPolicy& policy) {
    const std::size_t kept = steps_kept(policy);
    keep_newest(steps, kept - 1);
    steps.push_back(std::move(step));
    if (policy.keep == History::disabled) keep_newest(hops, 1);
}

void WorkItem::add_hop(Hop hop, const HistoryPolicy& policy) {
    if (policy.keep == History::disabled) {
        hops.clear();
    } else if (hops.size() >= hops_max) {
        hops.erase(hops.begin() + 1);
    }
    hops.push_back(std::move(hop));
}

void WorkItem::clear() noexcept {
    headers.clear();
    message_id.reset();
    content_type.reset();
    make_empty(steps);
    trace_id.clear();
    if (trace_id.capacity() > spare_bytes_max) trace_id = std::string{};
    swarm_id.reset();
    make_empty(hops);
}

void WorkItem::swap(WorkItem& other) noexcept {
    headers.swap(other.headers);
    exchange(message_id, other.message_id);
    exchange(content_type, other.content_type);
    steps.swap(other.steps);
    trace_id.swap(other.trace_id);
    exchange(swarm_id, other.swarm_id);
    hops.swap(other.hops);
}

} // namespace hive::wire
