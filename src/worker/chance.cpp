#include "worker/chance.hpp"

#include <charconv>

namespace hive::worker {
namespace {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;

// Instances are `<swarmId>-<role>-<n>`, n from 1. Others count as the first.
std::uint64_t replica_of(std::string_view instance) {
    const auto digits = instance.substr(instance.rfind('-') + 1);
    std::uint64_t n = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, wrong] = std::from_chars(digits.data(), end, n);
    return wrong == std::errc{} && stop == end && n > 0 ? n - 1 : 0;
}

std::uint64_t hash_of(std::string_view text) { // FNV-1a: the same on every machine
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

} // namespace

Chance::Chance(std::uint64_t entropy, const InstanceId& self)
    : entropy_{entropy}, replica_{replica_of(self.text())} {}

// The templates of the first replica draw from the configured seed itself, as `hive scenario
// render --seed` does.
std::uint64_t Chance::seed(std::string_view use, std::optional<std::uint64_t> own) const {
    const std::uint64_t given = own ? *own : configured_.value_or(entropy_);
    const std::uint64_t mixed = given + replica_ * golden;
    return use == "templates" ? mixed : mixed ^ hash_of(use);
}

} // namespace hive::worker
