#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "worker/setup.hpp"
#include "worker/templating.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::worker {

// Reads `{"policy": "all" or "first", "expr": "payload.priority >= 50"}` for a port; `predicate` is
// the public name of `all`. The error says what is wrong, in the expression with its place.
Result<PortSelector> read_selector(const std::string& port, const json::object& selector);

// At which ports an item leaves: at each without a selector, at each whose expression holds, and
// at the first of those that are alternatives.
class PortChoice {
public:
    static Result<PortChoice> make(
        const WorkPorts& ports, std::shared_ptr<templates::Sequences> sequences,
        std::uint64_t seed);

    // The numbers of the ports, none twice.
    void choose(const wire::WorkItem& item, Timestamp now, std::vector<std::size_t>& into);

    // An expression that cannot be evaluated does not hold.
    std::uint64_t failures() const noexcept { return failures_; }
    const std::string& last_failure() const noexcept { return last_failure_; }

private:
    struct Rule {
        std::size_t port;
        SelectPolicy policy = SelectPolicy::all;
        std::optional<templates::Template> expr{}; // none: it always holds
    };
    PortChoice(std::shared_ptr<templates::Sequences> sequences, std::uint64_t seed)
        : renderer_{std::make_unique<Renderer>(seed, std::move(sequences))} {}
    bool holds(const Rule& rule);

    std::vector<Rule> rules_{};          // alternatives in the order in which they are tried
    std::unique_ptr<Renderer> renderer_; // templates hold on to where it is
    std::uint64_t failures_ = 0;
    std::string last_failure_{};
};

} // namespace hive::worker
