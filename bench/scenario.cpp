// How long a scenario of a hundred bees takes to load, to validate against all kinds of bees, and
// to compile; to be at most 100 ms together.
#include "cli/scenario_catalog.hpp"
#include "scenario/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

using namespace hive;

namespace {

constexpr double demanded = 100; // milliseconds
constexpr int rounds = 20;

std::string chain_of(int bees) {
    std::string text = "id: chain\nbees:\n"
                       "  - id: first\n    role: generator\n    work: { out: { out: q0 } }\n"
                       "    config: { message: { body: \"{{ eval('#uuid()') }}\" } }\n";
    for (int i = 1; i < bees; ++i) {
        text += fmt::format(
            "  - id: bee-{0}\n    role: moderator\n    work: {{ in: {{ in: q{1} }}, out: {{ out: "
            "q{0} }} }}\n    config: {{ mode: {{ type: rate-per-sec, ratePerSec: {0} }} }}\n",
            i, i - 1);
    }
    return text;
}

} // namespace

int main() {
    const std::string text = chain_of(100);
    const auto catalog = cli::scenario_catalog();
    double best = 1e9;
    std::size_t errors = 0;
    for (int i = 0; i < rounds; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const auto loaded = scenario::load(scenario::single_file("chain.yaml", text));
        errors += has_errors(loaded.findings) || has_errors(validate(loaded, catalog)) ? 1 : 0;
        errors += compile(loaded.scenario, {}, catalog).has_value() ? 0 : 1;
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - begin;
        best = std::min(best, took.count());
    }
    fmt::print("100 bees: {:.2f} ms to load, validate and compile\n", best);
    if (errors == 0 && best <= demanded) return EXIT_SUCCESS;
    fmt::print("{} rounds with errors; at most {} ms wanted\n", errors, demanded);
    return EXIT_FAILURE;
}
