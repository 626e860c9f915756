#include "controller/guard_figures.hpp"

#include "guard/status.hpp"

#include <fmt/format.h>

namespace hive::controller {
namespace {

double number_in(const json::object& guard, std::string_view name) {
    const auto* value = guard.if_contains(name);
    return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
}

std::string_view text_in(const json::object& guard, std::string_view name) {
    const auto* value = guard.if_contains(name);
    return value != nullptr && value->is_string() ? std::string_view{value->get_string()}
                                                  : std::string_view{};
}

} // namespace

GuardFigures figures_of(const GuardPost& post) {
    return {
        .queue = post.settings.queue,
        .depth = post.state.depths.average(),
        .target = post.state.target,
        .rate = post.state.rate,
        .state = guard::code_of(post.state.phase)};
}

std::vector<GuardFigures> figures_in(const json::object& context) {
    std::vector<GuardFigures> out;
    const auto* guards = context.if_contains("bufferGuards");
    if (guards == nullptr || !guards->is_array()) return out;
    for (const json::value& each : guards->get_array()) {
        const auto* guard = each.if_object();
        if (guard == nullptr) continue;
        // It came over a bus: whatever is no queue's name must not become a line of the page.
        const auto queue = QueueName::parse(text_in(*guard, "queueAlias"));
        if (!queue) continue;
        out.push_back(
            {.queue = queue->text(),
             .depth = number_in(*guard, "smoothedDepth"),
             .target = number_in(*guard, "target"),
             .rate = number_in(*guard, "rate"),
             .state = guard::code_of(guard::phase_named(text_in(*guard, "state")))});
    }
    return out;
}

void write_figures(
    telemetry::MetricsPage& page, const std::string& swarm, std::span<const GuardFigures> figures) {
    const auto write = [&](std::string_view name, std::string_view help, auto&& value) {
        std::string& lines = page.lines_of({name, "gauge", help});
        for (const GuardFigures& each : figures) {
            lines += fmt::format(
                "{}{{swarm=\"{}\",guard=\"{}\"}} {}\n", name, swarm, each.queue, value(each));
        }
    };
    if (figures.empty()) return;
    write("buffer_guard_depth", "Items in the guarded queue, averaged", [](const auto& each) {
        return each.depth;
    });
    write("buffer_guard_target", "Items that the guard aims at", [](const auto& each) {
        return each.target;
    });
    write(
        "buffer_guard_rate_override", "Items a second that producers are told to make",
        [](const auto& each) { return each.rate; });
    write(
        "buffer_guard_state",
        "0 disabled, 1 prefill, 2 steady, 3 draining, 4 filling, 5 backpressure, 6 recovery",
        [](const auto& each) { return each.state; });
}

} // namespace hive::controller
