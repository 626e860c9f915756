#include "wire/known_bees.hpp"

#include <array>
#include <functional>

namespace hive::wire {
namespace {

using KnownBees = std::array<KnownBee, 8>; // those at later places take turns

} // namespace

const Stamp& stamp_of(std::string_view service, std::string_view instance) {
    constexpr std::size_t stamps_max = 32; // a collision costs what making it costs
    thread_local std::array<Stamp, stamps_max> kept;
    Stamp& stamp = kept[std::hash<std::string_view>{}(instance) % stamps_max];
    if (stamp.instance() != instance || stamp.service() != service)
        stamp = Stamp{std::string{service}, std::string{instance}};
    return stamp;
}

void KnownBee::learn(const Stamp& met, std::string_view service, std::string_view instance) {
    said_ = service;
    ((said_ += met.service()) += instance) += met.instance();
    said_ += '"';
    stamp_ = met;
}

KnownBee& known_in_steps(std::size_t index) {
    thread_local KnownBees bees;
    return bees[index % bees.size()];
}

KnownBee& known_in_hops(std::size_t index) {
    thread_local KnownBees bees;
    return bees[index % bees.size()];
}

} // namespace hive::wire
