#include "worker/result_rules.hpp"

#include "kernel/text.hpp"

#include <algorithm>
#include <array>

namespace hive::worker {
namespace {

constexpr std::size_t dimensions_max = 16;
constexpr std::size_t found_max = 200; // bytes of a code or a dimension's value that are kept

bool is_header(RuleSource source) {
    return source == RuleSource::request_header || source == RuleSource::response_header;
}

Status check(const FindRule& rule) {
    if (rule.pattern.empty()) return {}; // its absence is said by whoever requires it
    const auto pattern = templates::Regex::compile(rule.pattern);
    if (!pattern) return fail(pattern.error());
    if (pattern->groups() == 0) {
        return fail(Errc::invalid, "pattern has no group; put what is wanted into (...)");
    }
    if (is_header(rule.source) && rule.header.empty()) {
        return fail(Errc::invalid, "header is missing: the source is a header, say which one");
    }
    return {};
}

} // namespace

std::span<const Named<RuleSource>> names_of(RuleSource) {
    static constexpr std::array names{
        Named<RuleSource>{"REQUEST_BODY", RuleSource::request_body},
        Named<RuleSource>{"RESPONSE_BODY", RuleSource::response_body},
        Named<RuleSource>{"REQUEST_HEADER", RuleSource::request_header},
        Named<RuleSource>{"RESPONSE_HEADER", RuleSource::response_header}};
    return names;
}

void describe(FieldTable& fields, FindRule& rule) {
    fields.add("source", rule.source).required().help("Where it is looked for");
    fields.add("pattern", rule.pattern)
        .required()
        .help("A regular expression; group 1 of the first match is what is found");
    fields.add("header", rule.header).help("Which one, where the source is a header");
    fields.rule([&rule] { return check(rule); });
}

void describe(FieldTable& fields, DimensionRule& rule) {
    fields.add("name", rule.name).required().help("What reports are told apart by");
    describe(fields, rule.find);
    fields.rule([&rule]() -> Status {
        if (rule.name.size() <= found_max) return {};
        return fail(Errc::invalid, "name is too long");
    });
}

void describe(FieldTable& fields, ResultRules& rules) {
    fields.add("businessCode", rules.business_code).help("The code that an answer carries");
    fields.add("successRegex", rules.success_regex)
        .help("Calls whose code does not match it as a whole count as failed");
    fields.add("dimensions", rules.dimensions).at_most(dimensions_max);
    fields.rule([&rules]() -> Status {
        if (rules.success_regex.empty()) return {};
        if (!rules.business_code) {
            return fail(Errc::invalid, "successRegex is there, but no businessCode to match");
        }
        const auto compiled = templates::Regex::compile(rules.success_regex);
        if (!compiled) return fail(Errc::invalid, "successRegex: " + compiled.error().detail);
        return {};
    });
}

bool ResultRules::looks_at(RuleSource source) const noexcept {
    return (business_code && business_code->source == source) ||
           std::ranges::any_of(
               dimensions, [&](const DimensionRule& each) { return each.find.source == source; });
}

Result<ResultJudge::Finder> ResultJudge::compile(const FindRule& rule) {
    if (auto ok = check(rule); !ok) return fail(ok.error());
    auto pattern = templates::Regex::compile(rule.pattern);
    if (!pattern) return fail(pattern.error());
    return Finder{rule.source, rule.header, *std::move(pattern)};
}

Result<ResultJudge> ResultJudge::compile(const ResultRules& rules) {
    ResultJudge judge;
    judge.needs_response_body_ = rules.looks_at(RuleSource::response_body);
    if (rules.business_code) {
        auto code = compile(*rules.business_code);
        if (!code) return fail(code.error());
        judge.code_ = *std::move(code);
    }
    if (!rules.success_regex.empty()) {
        auto success = templates::Regex::compile(rules.success_regex);
        if (!success) return fail(success.error());
        judge.success_ = *std::move(success);
    }
    for (const DimensionRule& each : rules.dimensions) {
        auto finder = compile(each.find);
        if (!finder) return fail(finder.error());
        judge.dimensions_.push_back({dimension_name(each.name), *std::move(finder)});
    }
    return judge;
}

std::string ResultJudge::find(const Finder& finder, const JudgedCall& call) {
    std::string_view text;
    switch (finder.source) {
    case RuleSource::request_body: text = call.request_body; break;
    case RuleSource::response_body: text = call.response_body; break;
    case RuleSource::request_header:
        if (call.request_header) text = call.request_header(finder.header);
        break;
    case RuleSource::response_header:
        if (call.response_header) text = call.response_header(finder.header);
        break;
    }
    const std::string_view found = finder.pattern.group(text, 1);
    return found.empty() ? std::string{} : printable(found, found_max);
}

Judgement ResultJudge::judge(const JudgedCall& call) const {
    Judgement out;
    if (code_) out.business_code = find(*code_, call);
    // An answer without a code did not say that it went well.
    if (success_) out.business_success = success_->matches_all_of(out.business_code);
    for (const Dimension& each : dimensions_) {
        auto value = find(each.find, call);
        if (!value.empty()) out.dimensions.emplace_back(each.name, std::move(value));
    }
    return out;
}

std::string dimension_name(std::string_view name) {
    std::string out{name};
    for (char& c : out) {
        const bool upper = c >= 'A' && c <= 'Z';
        if (upper) c = static_cast<char>(c - 'A' + 'a');
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (!plain) c = '-';
    }
    return out;
}

} // namespace hive::worker
