#pragma once

#include "api/path.hpp"
#include "api/route.hpp"
#include "kernel/result.hpp"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hive::api {

struct RouteTableOptions {
    // Under `from`, what has no route of its own is looked up under `to`: /api/tasks is
    // /api/v1/tasks, as the first clients spell it.
    std::string alias_from = "/api";
    std::string alias_to = "/api/v1";
    json::object schemas{}; // what `$ref: #/components/schemas/...` refers to
};

struct Match {
    enum class Kind : std::uint8_t { found, no_path, no_method, bad_parameter };
    Kind kind = Kind::no_path;
    std::size_t route = 0;    // index into RouteTable::routes()
    std::string_view allow{}; // methods of a path that exists: `GET, HEAD, OPTIONS`
    PathValues values{};
    std::string problem{}; // about a parameter
};

// All routes, checked and ready for dispatch. Immutable once compiled.
class RouteTable {
public:
    // Fails with every problem at once: a path twice, an unknown kind, a schema we cannot check, an
    // example that its own schema refuses, an empty handler.
    static Result<RouteTable> compile(std::vector<Route> routes, RouteTableOptions options = {});

    Match match(http::Method method, std::string_view path) const;
    std::span<const Route> routes() const noexcept { return routes_; }
    const json::object& schemas() const noexcept { return options_.schemas; }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    struct Node {
        Node() { by_method.fill(none); }
        std::vector<std::pair<std::string, std::size_t>> words; // sorted, so that lookup is fast
        std::size_t parameter = none;
        PathSegment segment{}; // of the parameter
        std::size_t alias = none;
        std::array<std::size_t, http::method_count> by_method{};
        std::string allow{};
    };

    RouteTable(std::vector<Route> routes, RouteTableOptions options)
        : routes_{std::move(routes)}, options_{std::move(options)}, nodes_(1) {}

    Status insert(std::size_t route);
    std::size_t child(std::size_t node, const PathSegment& segment, Status& status);
    std::size_t word_below(std::size_t node, std::string_view word) const noexcept;
    std::size_t descend(std::size_t node, std::string_view segment, Match& match) const;
    void finish();

    std::vector<Route> routes_;
    RouteTableOptions options_;
    std::vector<Node> nodes_;
};

} // namespace hive::api
