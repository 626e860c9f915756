#pragma once

#include "kernel/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive::wire {

// The value of one header: any JSON value, kept as the compact JSON text it has on the wire, so
// that carrying a header costs no tree. Strings are kept unquoted.
class HeaderValue {
public:
    static HeaderValue text(std::string value) { return {std::move(value), false}; }
    static HeaderValue json(std::string compact) { return {std::move(compact), true}; }

    bool is_json() const noexcept { return is_json_; } // number, bool, null, array or object
    const std::string& str() const noexcept { return value_; }
    bool operator==(const HeaderValue&) const = default;

private:
    HeaderValue(std::string value, bool is_json) : value_{std::move(value)}, is_json_{is_json} {}
    std::string value_;
    bool is_json_;
};

// The name of a header that bees agree on: a constant, so that carrying it copies nothing.
class KnownName {
public:
    template <std::size_t N>
    consteval KnownName(const char (&text)[N]) : text_{text, N - 1} {}
    constexpr std::string_view text() const noexcept { return text_; }
    constexpr operator std::string_view() const noexcept { return text_; }

private:
    std::string_view text_;
};

// The name of a header as it lies in an item: a known one, or a text of its own. An item has a
// dozen of them, which are made and moved with it: small, and nothing to decide when one is moved.
class HeaderName {
public:
    HeaderName(KnownName name) noexcept : text_{name.text()} {}
    HeaderName(std::string_view name) : own_{copy_of(name)}, text_{own_.get(), name.size()} {}
    HeaderName(const std::string& name) : HeaderName{std::string_view{name}} {}
    HeaderName(const HeaderName& other) : text_{other.text_} {
        if (other.own_) *this = HeaderName{other.text_};
    }
    HeaderName(HeaderName&& other) noexcept = default;
    HeaderName& operator=(const HeaderName& other) { return *this = HeaderName{other}; }
    HeaderName& operator=(HeaderName&& other) noexcept = default;
    ~HeaderName() = default;

    std::string_view text() const noexcept { return text_; }
    operator std::string_view() const noexcept { return text_; }
    bool operator==(const HeaderName& other) const noexcept { return text_ == other.text_; }

private:
    static std::unique_ptr<char[]> copy_of(std::string_view text);

    std::unique_ptr<char[]> own_{};
    std::string_view text_;
};

// A handful of entries: a flat list beats any map.
class Headers {
public:
    using Entry = std::pair<HeaderName, HeaderValue>;

    const HeaderValue* find(std::string_view name) const noexcept;
    std::string_view text(std::string_view name) const noexcept; // empty when absent or not text
    void set(std::string_view name, HeaderValue value);
    void set(std::string_view name, std::string value);
    // For a reader that has made sure the name is new.
    void append(HeaderName name, HeaderValue value) {
        if (entries_.empty()) entries_.reserve(4); // most items have no more
        entries_.emplace_back(std::move(name), std::move(value));
    }
    void erase(std::string_view name);
    void clear() noexcept; // keeps its room for a handful
    void swap(Headers& other) noexcept { entries_.swap(other.entries_); }

    void reserve(std::size_t count) { entries_.reserve(count); }
    bool empty() const noexcept { return entries_.empty(); }
    std::size_t size() const noexcept { return entries_.size(); }
    auto begin() const noexcept { return entries_.begin(); }
    auto end() const noexcept { return entries_.end(); }
    bool operator==(const Headers&) const = default;

private:
    std::vector<Entry> entries_;
};

enum class Encoding : std::uint8_t { utf8, base64 };

// Who did something to an item: a bee stamps its own identity, never the one it finds.
// Shared by everything that a bee stamps: an item carries several, and copies of the texts were a
// third of its allocations.
class Stamp {
public:
    Stamp() = default; // nobody
    Stamp(std::string service, std::string instance)
        : names_{std::make_shared<const Names>(std::move(service), std::move(instance))} {}

    const std::string& service() const noexcept { return names().first; } // the role
    const std::string& instance() const noexcept { return names().second; }
    bool operator==(const Stamp& other) const noexcept {
        return names_ == other.names_ || names() == other.names();
    }

private:
    using Names = std::pair<std::string, std::string>;
    const Names& names() const noexcept;
    std::shared_ptr<const Names> names_{};
};

struct Step {
    std::string payload{};
    Encoding encoding = Encoding::utf8;
    Stamp by{};        // `ph.step.service` and `ph.step.instance` on the wire
    Headers headers{}; // the other headers of the step
    bool operator==(const Step&) const = default;
};

struct Hop {
    Stamp by{};
    Timestamp received_at{};
    Timestamp processed_at{};
    bool operator==(const Hop&) const = default;
};

// How much of an item's past travels with it.
enum class History : std::uint8_t {
    full,        // every step and every hop
    latest_only, // the last step; every hop, so that latency from end to end can still be told
    disabled,    // the last step and the last hop: an item costs the same however far it came
    bounded,     // the newest steps, every hop
};
struct HistoryPolicy {
    History keep = History::full;
    std::size_t max_steps = 16; // with `bounded`: the newest steps that stay; at least 1
};

// Bounds whatever the policy: in a swarm with a cycle an item may travel for ever.
inline constexpr std::size_t steps_max = 256;
inline constexpr std::size_t hops_max = 256;

// What travels between bees. The current payload is always that of the last step.
struct WorkItem {
    Headers headers{};
    std::optional<std::string> message_id{};
    std::optional<std::string> content_type{};
    std::vector<Step> steps{}; // never empty on the wire; a step's index there is its place here
    std::string trace_id{};
    std::optional<std::string> swarm_id{};
    std::vector<Hop> hops{};

    std::string_view payload() const noexcept; // as on the wire: base64 text stays base64
    Encoding payload_encoding() const noexcept;
    // Beyond the bounds the oldest steps go; of the hops the first stays, which says when the item
    // entered the swarm, and the oldest after it go.
    void add_step(Step step, const HistoryPolicy& policy);
    void add_hop(Hop hop, const HistoryPolicy& policy);

    // Empty, with the room it had: whoever makes items uses those again that went on, so that most
    // of what an item needs is allocated once.
    void clear() noexcept;
    void swap(WorkItem& other) noexcept;
    bool operator==(const WorkItem&) const = default;
};

} // namespace hive::wire
