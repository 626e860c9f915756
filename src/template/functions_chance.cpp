// Chance: every draw comes from the context's generator, so that a seed repeats a run.
#include "kernel/uuid.hpp"
#include "template/function_groups.hpp"
#include "template/machine.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::templates {
namespace {

std::string below_text(std::int64_t low, std::int64_t high) {
    return fmt::format("the upper bound {} is below the lower bound {}", high, low);
}

Status check_bounds(std::span<const Known> args) {
    for (const Known& arg : args) {
        if (arg && !arg->is(Kind::integer) && !arg->is(Kind::text)) {
            return fail(Errc::invalid, "the bounds are whole numbers");
        }
    }
    if (!args[0] || !args[1] || !args[0]->is(Kind::integer) || !args[1]->is(Kind::integer))
        return {};
    const std::int64_t low = args[0]->integer();
    const std::int64_t high = args[1]->integer();
    if (high < low) return fail(Errc::invalid, below_text(low, high));
    return {};
}

Value rand_between(Machine& machine, const Args& args) {
    const auto low = machine.integer_of(args[0]);
    const auto high = machine.integer_of(args[1]);
    if (!low || !high)
        return machine.fail(Errc::invalid, "the bounds of a random number are whole numbers");
    if (*high < *low) return machine.fail(Errc::invalid, below_text(*low, *high));
    const std::uint64_t span = static_cast<std::uint64_t>(*high) - static_cast<std::uint64_t>(*low);
    Random& random = machine.state().services.random;
    const std::uint64_t drawn = span == UINT64_MAX ? random() : random.below(span + 1);
    return Value::of(static_cast<std::int64_t>(static_cast<std::uint64_t>(*low) + drawn));
}

Value uuid(Machine& machine, const Args& /*args*/) {
    append_uuid(machine.buffer(), machine.state().services.random);
    return machine.made();
}

// Pairs of value and weight.
struct Weights {
    std::uint64_t total = 0;
    std::string wrong{};
};

Weights weigh(Machine& machine, const Value* pairs, std::size_t count) {
    Weights weights;
    for (std::size_t i = 1; i < count; i += 2) {
        const auto weight = machine.integer_of(pairs[i]);
        if (!weight || *weight < 0) {
            weights.wrong = fmt::format("weight {} is not a whole number from 0", i / 2 + 1);
            return weights;
        }
        weights.total += static_cast<std::uint64_t>(*weight);
        if (weights.total > INT64_MAX)
            weights.wrong = "the weights add up to more than 63 bits hold";
        if (!weights.wrong.empty()) return weights;
    }
    if (weights.total == 0) weights.wrong = "all weights are 0";
    return weights;
}

Value at_weight(Machine& machine, const Value* pairs, std::uint64_t drawn) {
    for (std::size_t i = 0;; i += 2) {
        const auto weight =
            static_cast<std::uint64_t>(machine.integer_of(pairs[i + 1]).value_or(0));
        if (drawn < weight) return pairs[i];
        drawn -= weight;
    }
}

Value pick_weighted(Machine& machine, const Args& args) {
    const Weights weights = weigh(machine, args.values, args.size());
    if (!weights.wrong.empty()) return machine.fail(Errc::invalid, weights.wrong);
    return at_weight(machine, args.values, machine.state().services.random.below(weights.total));
}

Value pick_weighted_seeded(Machine& machine, const Args& args) {
    const Value* const pairs = args.values + 2;
    const Weights weights = weigh(machine, pairs, args.size() - 2);
    if (!weights.wrong.empty()) return machine.fail(Errc::invalid, weights.wrong);
    const std::string_view label = machine.text_of(args[0]);
    const std::string_view seed = machine.text_of(args[1]);
    const auto drawn = machine.state().services.streams.below(label, seed, weights.total);
    if (!drawn) return machine.fail(drawn.error());
    return at_weight(machine, pairs, *drawn);
}

Status check_pairs(std::span<const Known> pairs) {
    if (pairs.size() % 2 != 0) return fail(Errc::invalid, "a value has no weight behind it");
    bool all_known = true;
    std::int64_t total = 0;
    for (std::size_t i = 1; i < pairs.size(); i += 2) {
        if (!pairs[i]) {
            all_known = false;
            continue;
        }
        const bool whole = pairs[i]->is(Kind::integer) && pairs[i]->integer() >= 0;
        if (!whole && !pairs[i]->is(Kind::text)) {
            return fail(
                Errc::invalid, fmt::format("weight {} is not a whole number from 0", i / 2 + 1));
        }
        if (whole) total |= pairs[i]->integer();
        if (!whole) all_known = false;
    }
    if (all_known && total == 0) return fail(Errc::invalid, "all weights are 0");
    return {};
}

Status check_seeded(std::span<const Known> args) {
    return check_pairs(args.subspan(2));
}

} // namespace

std::span<const Function> chance_functions() {
    static constexpr std::array<Function, 5> functions{{
        {"randInt", 2, 2, rand_between, check_bounds},
        {"randLong", 2, 2, rand_between, check_bounds},
        {"uuid", 0, 0, uuid},
        {"pickWeighted", 2, Function::any, pick_weighted, check_pairs},
        {"pickWeightedSeeded", 4, Function::any, pick_weighted_seeded, check_seeded},
    }};
    return functions;
}

} // namespace hive::templates
