#pragma once

#include "kernel/clock.hpp"
#include "kernel/random.hpp"
#include "kernel/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hive::simulation {

enum class Fault : std::uint8_t {
    delay,          // a message takes up to seconds, in order on its path
    reorder,        // queues overtake each other; a returned message goes anywhere in its queue
    duplicate,      // a publish arrives twice, or is sent again because its confirm was lost
    loss,           // a transient message disappears
    slow_consumer,  // a component takes long over each delivery
    partition,      // a component is cut from the broker for a while
    broker_restart, // transient messages, non-durable queues and all connections are gone
    crash,          // a component dies, also between two effects of one handler
};
inline constexpr std::size_t fault_kinds = 8;

std::string_view name_of(Fault fault) noexcept;

class FaultSet {
public:
    static constexpr FaultSet none() { return FaultSet{0}; }
    static constexpr FaultSet all() { return FaultSet{(1U << fault_kinds) - 1}; }
    static Result<FaultSet> parse(std::string_view list); // `crash,loss`, `all` or `none`
    static FaultSet drawn(Random& random); // each kind is in it three times out of four

    constexpr bool has(Fault fault) const { return (bits_ & bit(fault)) != 0; }
    constexpr FaultSet with(Fault fault) const { return FaultSet{bits_ | bit(fault)}; }
    constexpr FaultSet without(Fault fault) const { return FaultSet{bits_ & ~bit(fault)}; }
    constexpr FaultSet operator&(FaultSet other) const { return FaultSet{bits_ & other.bits_}; }
    std::vector<Fault> kinds() const;
    std::string text() const; // what parse() reads
    bool operator==(const FaultSet&) const = default;

private:
    explicit constexpr FaultSet(std::uint32_t bits) : bits_{bits} {}
    static constexpr std::uint32_t bit(Fault fault) {
        return 1U << static_cast<std::uint32_t>(fault);
    }
    std::uint32_t bits_;
};

// How hard it storms. Probabilities are per message or effect, `every_*` are mean intervals.
struct FaultRates {
    double duplicate = 0.05;
    double loss = 0.2;
    double held_back = 0.1;         // reorder: deliveries that wait up to longest_delay
    double crash_point = 0.002;     // crash: effects before which the component dies
    double cut_during_flush = 0.02; // partition
    Duration longest_delay = std::chrono::seconds{2};
    Duration every_crash = std::chrono::seconds{8};
    Duration every_partition = std::chrono::seconds{8};
    Duration every_broker_restart = std::chrono::seconds{15};
    Duration every_slowness = std::chrono::seconds{8};
    Duration longest_absence = std::chrono::seconds{4};
    Duration heartbeat = std::chrono::seconds{3}; // by then the broker has noticed a dead peer
};

// Every seeded choice about faults. One stream of numbers per kind, so that switching one kind off
// changes the draws of the others as little as possible.
class Dice {
public:
    Dice(std::uint64_t seed, FaultSet faults, const FaultRates& rates);

    const FaultRates& rates() const noexcept { return rates_; }
    bool stormy(Fault fault) const { return !calm_ && faults_.has(fault); }
    void calm() { calm_ = true; }

    // True with this probability while the kind is on; counted as one occurrence.
    bool strikes(Fault fault, double probability) {
        return strikes(fault, probability, stream(fault));
    }
    bool strikes(Fault fault, double probability, Random& random);
    void happened(Fault fault) { ++counts_[index(fault)]; }
    std::uint64_t count(Fault fault) const { return counts_[index(fault)]; }

    Duration between(Fault fault, Duration low, Duration high);
    Duration interval(Fault fault, Duration mean); // until the next occurrence
    std::uint64_t pick(Fault fault, std::uint64_t bound);
    Duration latency();    // of one leg, publisher to broker or broker to consumer
    Duration hold_back();  // extra latency of one delivery that lets other queues go first
    Duration noticed_in(); // how long a broker takes to see that a peer is gone

private:
    static constexpr std::size_t index(Fault fault) { return static_cast<std::size_t>(fault); }
    Random& stream(Fault fault) { return streams_[index(fault)]; }

    FaultSet faults_;
    FaultRates rates_;
    std::vector<Random> streams_;
    std::array<std::uint64_t, fault_kinds> counts_{};
    bool calm_ = false;
};

// A seed for one purpose of a run, unrelated to those of other purposes.
std::uint64_t seed_for(std::uint64_t seed, std::string_view purpose);

} // namespace hive::simulation
