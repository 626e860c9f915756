#include "worker/selector.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::worker {
namespace {

constexpr std::string_view open = "{{ ";

// People write an expression; with braces around it is one too.
Result<templates::Template> compile(std::string_view expr) {
    const bool bare = expr.find("{{") == std::string_view::npos;
    const std::string source = bare ? fmt::format("{}{} }}}}", open, expr) : std::string{expr};
    auto compiled = templates::compile(source);
    if (compiled && compiled->is_expression()) return *std::move(compiled);
    if (compiled) return fail(Errc::invalid, "expr must be one expression and nothing around it");
    const Finding& first = compiled.error().front();
    const auto before = bare && first.at.line == 1 ? open.size() : 0;
    return fail(
        Errc::invalid, fmt::format(
                           "expr at {}:{}: {}", first.at.line,
                           first.at.column > before ? first.at.column - before : 1, first.message));
}

Result<SelectPolicy> policy_of(const json::value* value) {
    if (value == nullptr) return SelectPolicy::all;
    const auto* text = value->if_string();
    if (text != nullptr && (*text == "all" || *text == "predicate")) return SelectPolicy::all;
    if (text != nullptr && *text == "first") return SelectPolicy::first;
    return fail(Errc::invalid, "policy must be all, first or predicate");
}

} // namespace

Result<PortSelector> read_selector(const std::string& port, const json::object& selector) {
    for (const auto& member : selector) {
        if (member.key() == "policy" || member.key() == "expr") continue;
        return fail(
            Errc::invalid,
            fmt::format(
                "'{}' is unknown; a selector has policy and expr", std::string_view{member.key()}));
    }
    auto policy = policy_of(selector.if_contains("policy"));
    if (!policy) return fail(policy.error());
    PortSelector out{.port = port, .policy = *policy};
    const auto* expr = selector.if_contains("expr");
    if (expr != nullptr && !expr->is_string()) return fail(Errc::invalid, "expr must be a text");
    if (expr != nullptr) out.expr = std::string_view{expr->get_string()};
    if (out.expr.empty()) {
        if (*policy == SelectPolicy::first) return out; // takes what the others left
        return fail(
            Errc::invalid, "expr is missing; only an edge with the policy first does without");
    }
    if (auto ok = compile(out.expr); !ok) return fail(ok.error());
    return out;
}

Result<PortChoice> PortChoice::make(
    const WorkPorts& ports, std::shared_ptr<templates::Sequences> sequences, std::uint64_t seed) {
    PortChoice choice{std::move(sequences), seed};
    for (std::size_t i = 0; i < ports.out.size(); ++i) {
        const bool selected =
            std::ranges::find(ports.selectors, ports.out[i].id, &PortSelector::port) !=
            ports.selectors.end();
        if (!selected) choice.rules_.push_back({.port = i});
    }
    for (const PortSelector& selector : ports.selectors) {
        const auto port = std::ranges::find(ports.out, selector.port, &WorkPort::id);
        if (port == ports.out.end()) {
            return fail(
                Errc::invalid,
                fmt::format("a selector is for the port '{}', which is none", selector.port));
        }
        Rule rule{
            .port = static_cast<std::size_t>(port - ports.out.begin()), .policy = selector.policy};
        if (!selector.expr.empty()) {
            auto compiled = compile(selector.expr);
            if (!compiled) {
                return fail(
                    Errc::invalid,
                    fmt::format("selector of '{}': {}", selector.port, compiled.error().detail));
            }
            rule.expr = *std::move(compiled);
        }
        choice.rules_.push_back(std::move(rule));
    }
    return choice;
}

bool PortChoice::holds(const Rule& rule) {
    if (!rule.expr) return true;
    const auto value = rule.expr->evaluate(renderer_->context());
    if (value) return value->truthy();
    ++failures_;
    last_failure_ = value.error().detail;
    return false;
}

void PortChoice::choose(const wire::WorkItem& item, Timestamp now, std::vector<std::size_t>& into) {
    into.clear();
    renderer_->look_at(item, now);
    bool taken = false; // by an alternative
    for (const Rule& rule : rules_) {
        const bool alternative = rule.policy == SelectPolicy::first;
        if ((alternative && taken) || !holds(rule)) continue;
        taken = taken || alternative;
        into.push_back(rule.port);
    }
}

} // namespace hive::worker
