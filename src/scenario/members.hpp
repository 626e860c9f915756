#pragma once

#include "kernel/clock.hpp"
#include "kernel/yaml.hpp"
#include "scenario/report.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace hive::scenario {

struct Range {
    double lowest;
    double highest;
};

// `a.b`, or `b` at the top.
std::string below(std::string_view path, std::string_view name);

// Whether the node is of that kind; a finding if not. A null counts as nothing written.
bool expect_kind(const YamlNode& node, YamlNode::Kind kind, std::string_view key, Report& report);

// A mapping that is read member by member: a value of the wrong type is a finding and reads as not
// given, and a member that nobody asked for is one at the end.
class Members {
public:
    Members(const YamlNode& node, std::string path, Report& report);

    // Null when it is not there or null.
    const YamlNode* take(std::string_view name);
    const YamlNode* take_list(std::string_view name);
    const YamlNode* take_mapping(std::string_view name);

    std::string text(std::string_view name);
    std::string required_text(std::string_view name);
    std::optional<double> number(std::string_view name, Range range);
    void whole(std::string_view name, Range range, std::uint32_t& into);
    void real(std::string_view name, Range range, double& into);
    void flag(std::string_view name, bool& into);
    std::optional<Duration> duration(std::string_view name);
    // One of the words; its index.
    std::optional<std::size_t>
    word(std::string_view name, std::initializer_list<std::string_view> words);

    // Known from public scenarios, without a meaning here.
    void ignore(std::initializer_list<std::string_view> names, std::string_view why);
    // What nobody asked for.
    void refuse_others();

    const YamlNode& node() const noexcept { return node_; }
    std::string key(std::string_view name) const { return below(path_, name); }
    const std::string& path() const noexcept { return path_; }
    Report& report() noexcept { return report_; }

private:
    void bad_value(const YamlNode& node, std::string_view name, const std::string& expected);

    const YamlNode& node_;
    std::string path_;
    Report& report_;
    std::set<std::string, std::less<>> asked_{};
};

} // namespace hive::scenario
