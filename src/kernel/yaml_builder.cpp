#include "kernel/yaml_builder.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace hive {
namespace {

constexpr std::string_view core_prefix = "tag:yaml.org,2002:";
constexpr std::array<std::string_view, 7> core_tags{"str",  "int", "float", "bool",
                                                    "null", "map", "seq"};
constexpr std::size_t findings_max = 100; // beyond this nobody reads them

} // namespace

Position position_of(const YAML::Mark& mark) noexcept {
    if (mark.line < 0 || mark.column < 0) return {};
    return {static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1};
}

YamlNode YamlBuilder::take() {
    // Whatever is still open was cut short by an error: it joins its parent as far as it came.
    while (!open_.empty()) {
        YamlNode node = std::move(open_.back().node);
        open_.pop_back();
        if (open_.empty()) {
            root_ = std::move(node);
        } else {
            attach(open_.back(), std::move(node));
        }
    }
    return std::move(root_);
}

void YamlBuilder::OnDocumentStart(const YAML::Mark& mark) {
    if (++documents_ > 1) {
        stop("documents", position_of(mark), "a second document; one file holds one document");
    }
}

void YamlBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
    const Size size{.nodes = 1};
    count(position_of(mark), size);
    add({.kind = YamlNode::Kind::null, .at = position_of(mark)}, anchor, size);
}

void YamlBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
    const Position at = position_of(mark);
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) stop("alias", at, "an alias to a node that encloses it");
    const Size size = found->second.size;
    if (open_.size() + size.depth > limits_.depth) {
        stop("too-deep", at, fmt::format("nested deeper than {} levels", limits_.depth));
    }
    count(at, size);
    YamlNode copy = found->second.node;
    copy.at = at;
    if (!open_.empty()) open_.back().deepest = std::max(open_.back().deepest, size.depth);
    add(std::move(copy), 0, size);
}

void YamlBuilder::OnScalar(
    const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
    const std::string& value) {
    const Position at = position_of(mark);
    const Size size{.nodes = 1, .bytes = value.size()};
    count(at, size);
    check_tag(at, tag);
    const bool plain = tag == "?" || tag.empty();
    if (plain && (value.empty() || value == "~" || value == "null")) {
        add({.kind = YamlNode::Kind::null, .at = at}, anchor, size);
        return;
    }
    add({.kind = YamlNode::Kind::scalar, .at = at, .text = value, .quoted = !plain}, anchor, size);
}

void YamlBuilder::OnSequenceStart(
    const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
    YAML::EmitterStyle::value /*style*/) {
    check_tag(position_of(mark), tag);
    open({.kind = YamlNode::Kind::sequence, .at = position_of(mark)}, anchor);
}

void YamlBuilder::OnSequenceEnd() {
    close();
}

void YamlBuilder::OnMapStart(
    const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
    YAML::EmitterStyle::value /*style*/) {
    check_tag(position_of(mark), tag);
    open({.kind = YamlNode::Kind::mapping, .at = position_of(mark)}, anchor);
}

void YamlBuilder::OnMapEnd() {
    close();
}

void YamlBuilder::count(Position at, Size more) {
    total_.nodes += more.nodes;
    total_.bytes += more.bytes;
    if (total_.nodes > limits_.nodes) {
        stop("too-many-nodes", at, fmt::format("more than {} values", limits_.nodes));
    }
    if (total_.bytes > limits_.bytes) {
        stop(
            "too-large", at, fmt::format("the values add up to more than {} bytes", limits_.bytes));
    }
}

void YamlBuilder::check_tag(Position at, const std::string& tag) {
    std::string_view name = tag;
    if (name.empty() || name == "?" || name == "!") return;
    if (name.starts_with(core_prefix)) {
        name.remove_prefix(core_prefix.size());
        if (std::ranges::find(core_tags, name) != core_tags.end()) return;
    }
    report("tag", at, fmt::format("tag '{}' is not supported", printable(tag)));
}

void YamlBuilder::open(YamlNode node, YAML::anchor_t anchor) {
    if (open_.size() >= limits_.depth) {
        stop("too-deep", node.at, fmt::format("nested deeper than {} levels", limits_.depth));
    }
    const Size before = total_;
    count(node.at, {.nodes = 1});
    open_.push_back({.node = std::move(node), .anchor = anchor, .before = before});
}

void YamlBuilder::close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    const std::size_t depth = done.deepest + 1;
    if (!open_.empty()) open_.back().deepest = std::max(open_.back().deepest, depth);
    const Size size{
        .nodes = total_.nodes - done.before.nodes,
        .bytes = total_.bytes - done.before.bytes,
        .depth = depth};
    add(std::move(done.node), done.anchor, size);
}

void YamlBuilder::add(YamlNode node, YAML::anchor_t anchor, Size size) {
    if (anchor != 0) {
        // The kept copy costs memory like the node itself, so it counts like it.
        count(node.at, size);
        anchors_.insert_or_assign(anchor, Anchored{node, size});
    }
    if (open_.empty()) {
        root_ = std::move(node);
    } else {
        add_to(open_.back(), std::move(node));
    }
}

void YamlBuilder::add_to(Open& parent, YamlNode node) {
    const bool in_mapping = parent.node.kind == YamlNode::Kind::mapping;
    if (in_mapping && parent.expects_key) {
        take_key(parent, node);
    } else {
        attach(parent, std::move(node));
    }
    parent.expects_key = !parent.expects_key;
}

void YamlBuilder::attach(Open& parent, YamlNode node) {
    if (parent.node.kind == YamlNode::Kind::mapping) {
        if (parent.expects_key || parent.discard) return;
        node.key = std::move(parent.key);
        node.key_at = parent.key_at;
    }
    parent.node.items.push_back(std::move(node));
}

void YamlBuilder::take_key(Open& parent, const YamlNode& node) {
    parent.discard = true;
    if (node.kind != YamlNode::Kind::scalar) {
        report("key", node.at, fmt::format("a key must be a word, not {}", name_of(node.kind)));
        return;
    }
    const auto [first, is_new] = parent.line_of_key.emplace(node.text, node.at.line);
    if (!is_new) {
        report(
            "duplicate-key", node.at,
            fmt::format("'{}' is already set at line {}", printable(node.text), first->second));
        return;
    }
    parent.discard = false;
    parent.key = node.text;
    parent.key_at = node.at;
}

void YamlBuilder::report(std::string code, Position at, std::string message) {
    if (findings_.size() >= findings_max) {
        findings_.push_back(
            {.code = "too-many", .at = at, .message = "too many problems; stopped"});
        throw Stop{};
    }
    findings_.push_back({.code = std::move(code), .at = at, .message = std::move(message)});
}

void YamlBuilder::stop(std::string code, Position at, std::string message) {
    report(std::move(code), at, std::move(message));
    throw Stop{};
}

} // namespace hive
