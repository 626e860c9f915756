#pragma once

#include "kernel/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace hive {

Position position_of(const YAML::Mark& mark) noexcept;

// Turns yaml-cpp's events into a YamlNode while counting what has been read. Building from events
// rather than from YAML::Node lets a bound stop the reading itself.
class YamlBuilder final : public YAML::EventHandler {
public:
    struct Stop {}; // thrown after a finding that ends the reading

    YamlBuilder(const YamlLimits& limits, std::vector<Finding>& findings)
        : limits_{limits}, findings_{findings} {}

    YamlNode take(); // what has been read, also when it was cut short

    void OnDocumentStart(const YAML::Mark& mark) override;
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
    void OnScalar(
        const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
        const std::string& value) override;
    void OnSequenceStart(
        const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
        YAML::EmitterStyle::value style) override;
    void OnSequenceEnd() override;
    void OnMapStart(
        const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
        YAML::EmitterStyle::value style) override;
    void OnMapEnd() override;

private:
    struct Size {
        std::size_t nodes = 0;
        std::size_t bytes = 0;
        std::size_t depth = 0;
    };
    struct Anchored {
        YamlNode node{};
        Size size{};
    };
    struct Open { // a sequence or mapping whose end has not been seen
        YamlNode node{};
        YAML::anchor_t anchor = 0;
        Size before{};           // totals when it began
        std::size_t deepest = 0; // levels below it
        bool expects_key = true;
        std::string key{};
        Position key_at{};
        bool discard = false; // the value of a key that was refused
        std::unordered_map<std::string, std::size_t> line_of_key{};
    };

    void count(Position at, Size more);
    void check_tag(Position at, const std::string& tag);
    void open(YamlNode node, YAML::anchor_t anchor);
    void close();
    void add(YamlNode node, YAML::anchor_t anchor, Size size);
    void add_to(Open& parent, YamlNode node);
    static void attach(Open& parent, YamlNode node);
    void take_key(Open& parent, const YamlNode& node);
    void report(std::string code, Position at, std::string message);
    [[noreturn]] void stop(std::string code, Position at, std::string message);

    const YamlLimits& limits_;
    std::vector<Finding>& findings_;
    std::size_t documents_ = 0;
    YamlNode root_{};
    std::vector<Open> open_{};
    std::map<YAML::anchor_t, Anchored> anchors_{};
    Size total_{};
};

} // namespace hive
