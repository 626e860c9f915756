#pragma once

#include "kernel/fields.hpp"
#include "template/regex.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive::worker {

enum class RuleSource : std::uint8_t {
    request_body,
    response_body,
    request_header,
    response_header
};
std::span<const Named<RuleSource>> names_of(RuleSource);

// Finds a text in a call: group 1 of the first match.
struct FindRule {
    RuleSource source = RuleSource::response_body;
    std::string pattern{};
    std::string header{}; // which, where the source is a header
    bool operator==(const FindRule&) const = default;
};
void describe(FieldTable& fields, FindRule& rule);

struct DimensionRule {
    std::string name{};
    FindRule find{};
    bool operator==(const DimensionRule&) const = default;
};
void describe(FieldTable& fields, DimensionRule& rule);

// What a call meant beyond its status: a code of its own, whether that is a success, and what
// reports are told apart by.
struct ResultRules {
    std::optional<FindRule> business_code{};
    std::string success_regex{};
    std::vector<DimensionRule> dimensions{};

    bool empty() const noexcept { return !business_code && dimensions.empty(); }
    bool looks_at(RuleSource source) const noexcept;
    bool operator==(const ResultRules&) const = default;
};
void describe(FieldTable& fields, ResultRules& rules);

// A call that is judged. Header names are found whatever their case.
struct JudgedCall {
    using FindHeader = std::function<std::string_view(std::string_view name)>;
    std::string_view request_body{};
    std::string_view response_body{};
    FindHeader request_header{};
    FindHeader response_header{};
};

struct Judgement {
    std::string business_code{};                                   // empty: none was found
    std::optional<bool> business_success{};                        // none: there is no rule for it
    std::vector<std::pair<std::string, std::string>> dimensions{}; // those that were found
};

// Rules compiled once and asked for each call; any number of threads may ask.
class ResultJudge {
public:
    static Result<ResultJudge> compile(const ResultRules& rules);

    Judgement judge(const JudgedCall& call) const;
    bool needs_response_body() const noexcept { return needs_response_body_; }

private:
    struct Finder {
        RuleSource source;
        std::string header;
        templates::Regex pattern;
    };
    struct Dimension {
        std::string name;
        Finder find;
    };
    ResultJudge() = default;
    static Result<Finder> compile(const FindRule& rule);
    static std::string find(const Finder& finder, const JudgedCall& call);

    std::optional<Finder> code_{};
    std::optional<templates::Regex> success_{};
    std::vector<Dimension> dimensions_{};
    bool needs_response_body_ = false;
};

// As it is written in a header: lower case, anything but letters and digits becomes '-'.
std::string dimension_name(std::string_view name);

} // namespace hive::worker
