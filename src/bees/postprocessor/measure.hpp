#pragma once

#include "kernel/clock.hpp"
#include "telemetry/histogram.hpp"
#include "telemetry/keyed.hpp"
#include "wire/work_item.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::bees {

// How one call went, as its item tells.
struct CallOutcome {
    bool measured = false; // there was a call
    bool success = true;
    std::uint32_t status = 0;
    std::string_view error{};
    std::string_view call_id{};
    Duration service{}; // the call itself
    std::optional<Duration> from_due{};
    std::uint64_t sent_bytes = 0;
    std::uint64_t received_bytes = 0;
    std::string_view business_code{};
    std::optional<bool> business_success{};
    struct Dimension {
        std::string_view name;
        std::string_view value;
    };
    std::vector<Dimension> dimensions{};

    // An answer that came but says no is a failure all the same.
    bool went_well() const noexcept { return success && business_success.value_or(true); }
};
CallOutcome outcome_of(const wire::WorkItem& item);

// Calls of one kind.
struct Tally {
    telemetry::Successes successes{};
    telemetry::Histogram service{};
    telemetry::Histogram from_due{};

    void add(const CallOutcome& outcome);
    void merge(const Tally& other);
};

// Everything that one bee measured since it began, or since it was told to begin anew.
class Measure {
public:
    // Says what it has understood of the item, which it refers to.
    CallOutcome add(const wire::WorkItem& item, Timestamp now);
    Measure() = default;
    ~Measure() = default;
    Measure(Measure&&) = default; // and no copies: it remembers where things are in itself
    Measure& operator=(Measure&&) = default;
    void clear() { *this = Measure{}; }

    const Tally& all() const noexcept { return all_; }
    const telemetry::Keyed<Tally>& by_call() const noexcept { return by_call_; }
    // By `<name>=<value>` of what the rules for results have found.
    const telemetry::Keyed<Tally>& by_dimension() const noexcept { return by_dimension_; }
    const telemetry::Counters& by_status() const noexcept { return by_status_; } // or error class
    const telemetry::Histogram& total() const noexcept { return total_; } // first hop to here
    const telemetry::Histogram& queue_wait() const noexcept { return queue_wait_; } // between hops
    const telemetry::Keyed<telemetry::Histogram>& by_hop() const noexcept { return by_hop_; }
    std::uint64_t sent_bytes() const noexcept { return sent_bytes_; }
    std::uint64_t received_bytes() const noexcept { return received_bytes_; }
    std::uint64_t items() const noexcept { return items_; }

private:
    static constexpr std::size_t keys_max = 256;

    // The last that was looked up in a place, where the same one comes nearly always: comparing a
    // name costs a fraction of finding it.
    template <class T>
    struct Last {
        std::string key{};
        T* value = nullptr;

        T& in(telemetry::Keyed<T>& keyed, std::string_view wanted) {
            if (value != nullptr && key == wanted) return *value;
            T& found = keyed.at(wanted);
            value = &found == &keyed.other() ? nullptr : &found; // times that is used are counted
            key = wanted;
            return found;
        }
    };

    void add_hops(const wire::WorkItem& item, Timestamp now);

    Tally all_{};
    telemetry::Keyed<Tally> by_call_{keys_max};
    telemetry::Keyed<Tally> by_dimension_{keys_max};
    telemetry::Counters by_status_{keys_max};
    telemetry::Histogram total_{};
    telemetry::Histogram queue_wait_{};
    telemetry::Keyed<telemetry::Histogram> by_hop_{keys_max};
    std::uint64_t sent_bytes_ = 0;
    std::uint64_t received_bytes_ = 0;
    std::uint64_t items_ = 0;
    std::string key_{};
    std::vector<Last<telemetry::Histogram>> last_hops_{}; // by their place in an item
    Last<Tally> last_call_{};
    Last<std::uint64_t> last_status_{};
};

} // namespace hive::bees
