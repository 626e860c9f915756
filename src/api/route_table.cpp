#include "api/route_table.hpp"

#include "api/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace hive::api {
namespace {

constexpr auto word_of = [](const auto& entry) -> std::string_view { return entry.first; };

std::string title_of(const Route& route) {
    return fmt::format("{} {}", name_of(route.method), route.path);
}

void check_content(
    const Content& content, const json::object& schemas, std::vector<std::string>& problems) {
    if (content.type != json_type) return; // an example of text needs no schema check
    if (auto usable = check_schema(content.schema, schemas); !usable) {
        problems.push_back(usable.error().detail);
        return;
    }
    for (const FieldProblem& wrong : validate(content.schema, content.example, schemas)) {
        problems.push_back(fmt::format("example: {}: {}", wrong.pointer, wrong.detail));
    }
}

std::vector<std::string> problems_of(const Route& route, const json::object& schemas) {
    std::vector<std::string> problems;
    const bool callable = std::visit([](const auto& handler) { return !!handler; }, route.handler);
    if (!callable) problems.emplace_back("has no handler");
    if (route.id.empty() || route.summary.empty()) problems.emplace_back("has no id or summary");
    if (route.answers.empty()) problems.emplace_back("documents no answer");
    if (route.method == http::Method::head || route.method == http::Method::options ||
        route.method == http::Method::other) {
        problems.emplace_back("HEAD and OPTIONS are made from the other routes");
    }
    if (route.request) check_content(*route.request, schemas, problems);
    for (const Answer& answer : route.answers) {
        if (answer.content) check_content(*answer.content, schemas, problems);
    }
    return problems;
}

} // namespace

Result<RouteTable> RouteTable::compile(std::vector<Route> routes, RouteTableOptions options) {
    RouteTable table{std::move(routes), std::move(options)};
    if (auto usable = check_components(table.options_.schemas); !usable)
        return fail(usable.error());
    std::string problems;
    std::set<std::string> ids;
    for (std::size_t i = 0; i < table.routes_.size(); ++i) {
        const Route& route = table.routes_[i];
        auto found = problems_of(route, table.options_.schemas);
        if (!ids.insert(route.id).second) found.push_back(fmt::format("id '{}' again", route.id));
        if (auto inserted = table.insert(i); !inserted) found.push_back(inserted.error().detail);
        for (const std::string& problem : found) {
            problems +=
                fmt::format("{}{}: {}", problems.empty() ? "" : "\n", title_of(route), problem);
        }
    }
    if (!problems.empty()) return fail(Errc::invalid, problems);
    table.finish();
    return table;
}

Status RouteTable::insert(std::size_t route) {
    const auto segments = parse_path(routes_[route].path);
    if (!segments) return fail(segments.error());
    std::size_t node = 0;
    Status status;
    for (const PathSegment& segment : *segments) {
        node = child(node, segment, status);
        if (!status) return status;
    }
    std::size_t& slot = nodes_[node].by_method[static_cast<std::size_t>(routes_[route].method)];
    if (slot != none) return fail(Errc::conflict, "is declared twice");
    slot = route;
    return {};
}

std::size_t RouteTable::child(std::size_t node, const PathSegment& segment, Status& status) {
    const std::size_t existing =
        segment.kind ? nodes_[node].parameter : word_below(node, segment.word);
    if (segment.kind && existing != none && nodes_[node].segment != segment) {
        status = fail(
            Errc::conflict, fmt::format(
                                "{{{}}} is called {{{}}} by another route", segment.word,
                                nodes_[node].segment.word));
    }
    if (existing != none) return existing;
    const std::size_t made = nodes_.size();
    nodes_.emplace_back();
    Node& parent = nodes_[node];
    if (segment.kind) {
        parent.parameter = made;
        parent.segment = segment;
    } else {
        const auto at =
            std::ranges::lower_bound(parent.words, std::string_view{segment.word}, {}, word_of);
        parent.words.insert(at, {segment.word, made});
    }
    return made;
}

void RouteTable::finish() {
    for (Node& node : nodes_) {
        // HEAD is GET without the body.
        node.by_method[static_cast<std::size_t>(http::Method::head)] =
            node.by_method[static_cast<std::size_t>(http::Method::get)];
        for (std::size_t i = 0; i < http::method_count; ++i) {
            if (node.by_method[i] == none) continue;
            node.allow += fmt::format("{}, ", name_of(static_cast<http::Method>(i)));
        }
        if (!node.allow.empty()) node.allow += "OPTIONS";
    }
    const auto find = [&](std::string_view path) {
        std::size_t node = 0;
        const auto segments = parse_path(path);
        for (std::size_t i = 0; segments && i < segments->size() && node != none; ++i) {
            node = word_below(node, (*segments)[i].word);
        }
        return segments ? node : none;
    };
    const std::size_t from = find(options_.alias_from);
    const std::size_t to = find(options_.alias_to);
    if (from != none && to != none) nodes_[from].alias = to;
}

std::size_t RouteTable::word_below(std::size_t node, std::string_view word) const noexcept {
    const auto& words = nodes_[node].words;
    const auto at = std::ranges::lower_bound(words, word, {}, word_of);
    return at != words.end() && at->first == word ? at->second : none;
}

// The node below `node` that `segment` leads to; a parameter's value goes into `match`.
std::size_t RouteTable::descend(std::size_t node, std::string_view segment, Match& match) const {
    if (segment.empty()) return none;
    std::string decoded;
    const std::string_view raw = segment;
    const bool escaped = segment.find('%') != segment.npos;
    if (escaped) {
        auto text = decode_path_segment(segment);
        if (!text) {
            match.kind = Match::Kind::bad_parameter;
            match.problem = text.error().detail;
            return none;
        }
        decoded = std::move(*text);
        segment = decoded;
    }
    if (const std::size_t word = word_below(node, segment); word != none) return word;
    const Node& here = nodes_[node];
    if (here.parameter == none) {
        return here.alias == none ? none : descend(here.alias, raw, match);
    }
    auto checked = check_path_parameter(*here.segment.kind, here.segment.word, segment);
    if (!checked) {
        match.kind = Match::Kind::bad_parameter;
        match.problem = checked.error().detail;
        return none;
    }
    if (escaped) {
        match.values.add_decoded(here.segment.word, std::move(decoded));
    } else {
        match.values.add(here.segment.word, segment);
    }
    return here.parameter;
}

Match RouteTable::match(http::Method method, std::string_view path) const {
    Match match;
    std::size_t node = 0;
    std::string_view rest = path.substr(path.starts_with('/') ? 1 : 0);
    // A path that ends in a slash has an empty last segment, which is no route of ours.
    for (bool more = !rest.empty(); more;) {
        const std::size_t slash = rest.find('/');
        more = slash != rest.npos;
        node = descend(node, rest.substr(0, slash), match);
        if (node == none) return match;
        rest.remove_prefix(more ? slash + 1 : rest.size());
    }
    const Node& here = nodes_[node];
    match.allow = here.allow;
    match.route = here.by_method[static_cast<std::size_t>(method)];
    if (match.route != none) {
        match.kind = Match::Kind::found;
    } else if (!here.allow.empty()) {
        match.kind = Match::Kind::no_method;
    }
    return match;
}

} // namespace hive::api
