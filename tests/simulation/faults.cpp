#include "tests/simulation/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace hive::simulation {
namespace {

using namespace std::chrono_literals;

constexpr std::array<Fault, fault_kinds> every_fault{
    Fault::delay,         Fault::reorder,   Fault::duplicate,      Fault::loss,
    Fault::slow_consumer, Fault::partition, Fault::broker_restart, Fault::crash,
};

std::optional<Fault> fault_called(std::string_view name) {
    const auto* found = std::ranges::find(every_fault, name, name_of);
    if (found == every_fault.end()) return std::nullopt;
    return *found;
}

} // namespace

std::string_view name_of(Fault fault) noexcept {
    switch (fault) {
    case Fault::delay: return "delay";
    case Fault::reorder: return "reorder";
    case Fault::duplicate: return "duplicate";
    case Fault::loss: return "loss";
    case Fault::slow_consumer: return "slow-consumer";
    case Fault::partition: return "partition";
    case Fault::broker_restart: return "broker-restart";
    case Fault::crash: return "crash";
    }
    std::abort();
}

Result<FaultSet> FaultSet::parse(std::string_view list) {
    if (list == "all") return all();
    if (list == "none") return none();
    FaultSet set = none();
    while (true) {
        const std::size_t comma = list.find(',');
        const auto name = list.substr(0, comma);
        const auto fault = fault_called(name);
        if (!fault) {
            return fail(
                Errc::invalid, fmt::format(
                                   "'{}' is no kind of fault; write all, none or some of {}",
                                   name.substr(0, 40), all().text()));
        }
        set = set.with(*fault);
        if (comma == list.npos) return set;
        list.remove_prefix(comma + 1);
    }
}

FaultSet FaultSet::drawn(Random& random) {
    FaultSet set = none();
    for (const Fault fault : every_fault) {
        if (random.chance(0.75)) set = set.with(fault);
    }
    return set;
}

std::vector<Fault> FaultSet::kinds() const {
    std::vector<Fault> out;
    std::ranges::copy_if(every_fault, std::back_inserter(out), [this](Fault f) { return has(f); });
    return out;
}

std::string FaultSet::text() const {
    if (*this == none()) return "none";
    std::string out;
    for (const Fault fault : kinds()) {
        if (!out.empty()) out += ',';
        out += name_of(fault);
    }
    return out;
}

Dice::Dice(std::uint64_t seed, FaultSet faults, const FaultRates& rates)
    : faults_{faults}, rates_{rates} {
    streams_.reserve(fault_kinds);
    for (const Fault fault : every_fault) streams_.emplace_back(seed_for(seed, name_of(fault)));
}

bool Dice::strikes(Fault fault, double probability, Random& random) {
    if (!stormy(fault) || !random.chance(probability)) return false;
    happened(fault);
    return true;
}

Duration Dice::between(Fault fault, Duration low, Duration high) {
    if (high <= low) return low;
    const auto span = static_cast<std::uint64_t>((high - low).count());
    return low + Duration{static_cast<Duration::rep>(stream(fault).below(span))};
}

Duration Dice::interval(Fault fault, Duration mean) {
    return between(fault, 1ms, 2 * mean);
}

std::uint64_t Dice::pick(Fault fault, std::uint64_t bound) {
    return stream(fault).below(bound);
}

Duration Dice::latency() {
    constexpr Duration usual = 1ms;
    if (!stormy(Fault::delay)) return usual;
    const std::uint64_t draw = stream(Fault::delay).below(100);
    if (draw < 80) return between(Fault::delay, 200us, 5ms);
    happened(Fault::delay);
    if (draw < 97) return between(Fault::delay, 5ms, 200ms);
    return between(Fault::delay, 200ms, rates_.longest_delay);
}

Duration Dice::hold_back() {
    if (!strikes(Fault::reorder, rates_.held_back)) return Duration{0};
    return between(Fault::reorder, 1ms, rates_.longest_delay);
}

Duration Dice::noticed_in() {
    // A process that dies resets its connections at once; a machine that dies does not.
    if (pick(Fault::crash, 4) != 0) return Duration{0};
    return between(Fault::crash, 1ms, rates_.heartbeat);
}

std::uint64_t seed_for(std::uint64_t seed, std::string_view purpose) {
    std::uint64_t hash = 0xcbf29ce484222325U ^ seed; // FNV-1a
    for (const char c : purpose) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    return hash ^ (seed << 1U);
}

} // namespace hive::simulation
