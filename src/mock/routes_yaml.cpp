#include "mock/routes_yaml.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::mock {
namespace {

constexpr std::size_t routes_max = 1'000;
constexpr std::array<std::string_view, 12> keys{
    "path",        "method",       "status",      "body",         "content-type",   "delay",
    "error-ratio", "error-status", "reset-ratio", "silent-ratio", "truncate-ratio", "lie-ratio"};

class RouteReader {
public:
    RouteReader(std::string_view file, std::vector<Finding>& findings)
        : file_{file}, findings_{findings} {}

    Route read(const YamlNode& node, const Behaviour& usual) {
        Route route{.does = usual};
        if (node.kind != YamlNode::Kind::mapping) {
            report(node.at, "wrong-type", "a route is a mapping with at least 'path'");
            return route;
        }
        for (const YamlNode& member : node.items) member_of(member, route);
        if (!node.find("path")) report(node.at, "missing-key", "the route has no 'path'");
        return route;
    }

    void report(Position at, std::string code, std::string message, std::string hint = {}) {
        findings_.push_back(
            {.code = std::move(code),
             .file = std::string{file_},
             .at = at,
             .key = "routes",
             .message = std::move(message),
             .hint = std::move(hint)});
    }

private:
    void member_of(const YamlNode& node, Route& route) {
        Behaviour& does = route.does;
        if (node.key == "status") return statuses(node, does);
        if (node.key == "path") return path(node, route.path);
        if (node.key == "method") return value(node, route.method);
        if (node.key == "body") return value(node, does.body);
        if (node.key == "content-type") return line(node, does.content_type);
        if (node.key == "delay") return value(node, does.delay);
        if (node.key == "error-ratio") return value(node, does.error_ratio);
        if (node.key == "error-status") return status(node, does.error_status);
        if (node.key == "reset-ratio") return value(node, does.reset_ratio);
        if (node.key == "silent-ratio") return value(node, does.silent_ratio);
        if (node.key == "truncate-ratio") return value(node, does.truncate_ratio);
        if (node.key == "lie-ratio") return value(node, does.lie_ratio);
        const auto meant = nearest(node.key, keys);
        report(
            node.key_at, "unknown-key", fmt::format("a route has no '{}'", printable(node.key)),
            meant ? fmt::format("did you mean '{}'?", *meant)
                  : fmt::format("keys there: {}", fmt::join(keys, ", ")));
    }

    template <class T>
    void value(const YamlNode& node, T& out) {
        auto parsed = node.kind == YamlNode::Kind::scalar ? ConfigType<T>::parse(node.text)
                                                          : Result<T>{fail(Errc::invalid, {})};
        if (parsed) {
            out = *std::move(parsed);
            return;
        }
        report(
            node.at, "wrong-value",
            fmt::format(
                "{} is '{}'; expected {}", node.key, printable(node.text),
                ConfigType<T>::expected()));
    }

    void path(const YamlNode& node, std::string& out) {
        value(node, out);
        if (!out.starts_with('/'))
            report(node.at, "wrong-value", "a path begins with '/', and may end in '/*'");
    }

    // Goes into a header of the answer.
    void line(const YamlNode& node, std::string& out) {
        value(node, out);
        if (out.find_first_of("\r\n") != out.npos)
            report(node.at, "wrong-value", fmt::format("{} must be one line", node.key));
    }

    void status(const YamlNode& node, std::uint16_t& out) {
        value(node, out);
        if (out < 200 || out > 599) report(node.at, "wrong-value", "a status is from 200 to 599");
    }

    void statuses(const YamlNode& node, Behaviour& does) {
        does.statuses.clear();
        if (node.kind == YamlNode::Kind::sequence) {
            for (const YamlNode& item : node.items) status(item, does.statuses.emplace_back(200));
        } else {
            status(node, does.statuses.emplace_back(200));
        }
        if (does.statuses.empty()) {
            does.statuses = {200};
            report(node.at, "wrong-value", "status is an empty list; give at least one");
        }
    }

    std::string_view file_;
    std::vector<Finding>& findings_;
};

} // namespace

std::vector<Route> read_routes(
    const YamlNode& routes, const Behaviour& usual, std::string_view file,
    std::vector<Finding>& findings) {
    RouteReader reader{file, findings};
    std::vector<Route> out;
    if (routes.kind != YamlNode::Kind::sequence || routes.items.size() > routes_max) {
        reader.report(
            routes.at, "wrong-type", fmt::format("routes is a list of at most {}", routes_max));
        return out;
    }
    for (const YamlNode& node : routes.items) {
        if (findings.size() >= findings_max) break;
        out.push_back(reader.read(node, usual));
    }
    return out;
}

} // namespace hive::mock
