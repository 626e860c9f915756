#include "cli/swarm_graph.hpp"

#include "cli/text_table.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <vector>

namespace hive::cli {
namespace {

constexpr std::size_t name_max = 32;
constexpr std::size_t indent = 4; // of what goes on in the next line

struct Bee { // with its replicas
    std::string id;
    std::vector<std::string> in{};
    std::vector<std::string> out{};
    std::size_t count = 0;
    std::size_t healthy = 0;
    double tps = 0;
    std::string replicas{}; // as the template says
};
using Bees = std::vector<Bee>; // as the template has them

const json::object& object_at(const json::object& from, std::string_view name) {
    static const json::object none;
    const auto* found = from.if_contains(name);
    return found != nullptr && found->is_object() ? found->get_object() : none;
}

const json::array& array_at(const json::object& from, std::string_view name) {
    static const json::array none;
    const auto* found = from.if_contains(name);
    return found != nullptr && found->is_array() ? found->get_array() : none;
}

bool has(const std::vector<std::string>& all, const std::string& one) {
    return std::ranges::find(all, one) != all.end();
}

void add_queues(std::vector<std::string>& to, const json::object& ports) {
    for (const auto& [port, queue] : ports) {
        if (!queue.is_string()) continue;
        std::string name{queue.get_string()};
        if (!has(to, name)) to.push_back(std::move(name));
    }
}

Bee& bee_of(Bees& bees, const json::object& from, std::initializer_list<const char*> names) {
    std::string id;
    for (const char* name : names) {
        if (id.empty()) id = member_text(from, name);
    }
    const auto found = std::ranges::find(bees, id, &Bee::id);
    return found != bees.end() ? *found : bees.emplace_back(Bee{.id = std::move(id)});
}

Bees bees_of(const json::object& swarm) {
    Bees bees;
    for (const auto& item : array_at(object_at(swarm, "template"), "bees")) {
        if (!item.is_object()) continue;
        Bee& bee = bee_of(bees, item.get_object(), {"id", "beeId", "role"});
        const json::object& work = object_at(item.get_object(), "work");
        add_queues(bee.in, object_at(work, "in"));
        add_queues(bee.out, object_at(work, "out"));
        bee.replicas = member_text(item.get_object(), "replicas");
    }
    for (const auto& item : array_at(object_at(swarm, "aggregate"), "workers")) {
        if (!item.is_object()) continue;
        const json::object& worker = item.get_object();
        Bee& bee = bee_of(bees, worker, {"beeId", "role"});
        ++bee.count;
        if (member_text(worker, "health") == "healthy") ++bee.healthy;
        const auto* tps = worker.if_contains("tps");
        if (tps != nullptr && tps->is_number()) bee.tps += tps->to_number<double>();
    }
    return bees;
}

std::string bee_cell(const Bee& bee) {
    if (bee.count == 0) return fmt::format("[.. {}]", printable(bee.id, name_max));
    const bool well = bee.healthy == bee.count;
    std::string replicas = bee.count > 1 ? fmt::format(" x{}", bee.count) : "";
    if (!well && bee.count > 1) replicas = fmt::format(" x{}/{}", bee.healthy, bee.count);
    return fmt::format(
        "[{} {}{} {:.0f}/s]", well ? "ok" : "!!", printable(bee.id, name_max), replicas, bee.tps);
}

std::string planned_cell(const Bee& bee) {
    const bool one = bee.replicas.empty() || bee.replicas == "1";
    return fmt::format(
        "[{}{}{}]", printable(bee.id, name_max), one ? "" : " x", one ? "" : bee.replicas);
}

// What is known of a queue: null when it is missing, nothing when nobody looked.
const json::value* stats_of(const json::object& swarm, const std::string& queue) {
    const json::object& stats = object_at(object_at(swarm, "aggregate"), "queueStats");
    return stats.if_contains(
        fmt::format("ph.work.{}.{}", member_text(swarm, "id"), queue)); // the broker's name
}

std::string depth_of(const json::object& swarm, const std::string& queue) {
    const auto* stats = stats_of(swarm, queue);
    if (stats == nullptr) return "?";
    return stats->is_object() ? member_text(stats->get_object(), "depth") : "missing";
}

class Drawing {
public:
    enum class Of : std::uint8_t { swarm, plan };

    Drawing(const json::object& swarm, std::size_t width, Of what = Of::swarm)
        : swarm_{swarm}, width_{width}, bees_{bees_of(swarm)}, what_{what} {}

    std::string text() {
        for (const Bee& bee : bees_) {
            if (is_beginning(bee)) draw_from(bee);
        }
        for (const Bee& bee : bees_) { // what is left goes in circles
            if (!drawn_.contains(&bee)) draw_from(bee);
        }
        for (const Bee& bee : bees_) {
            for (const std::string& queue : bee.in) {
                if (entered_.contains(&bee) && queue == first_entry(bee)) continue;
                if (is_entry(queue)) add_line({arrow(queue) + " " + name(bee)});
            }
        }
        return std::move(text_);
    }

private:
    struct Edge { // from a bee through a queue to another, or out of the swarm
        const Bee* from;
        std::string queue;
        const Bee* to;
    };
    using Units = std::vector<std::string>; // that a line is never broken within

    static std::string name(const Bee& bee) { return printable(bee.id, name_max); }
    std::string cell(const Bee& bee) const {
        return what_ == Of::plan ? planned_cell(bee) : bee_cell(bee);
    }
    std::string arrow(const std::string& queue) const {
        if (what_ == Of::plan) return fmt::format("-> {} ->", printable(queue, name_max));
        return fmt::format("-> {} {} ->", printable(queue, name_max), depth_of(swarm_, queue));
    }
    bool is_entry(const std::string& queue) const {
        return std::ranges::none_of(bees_, [&](const Bee& bee) { return has(bee.out, queue); });
    }
    bool is_beginning(const Bee& bee) const {
        return std::ranges::all_of(bee.in, [&](const auto& queue) { return is_entry(queue); });
    }
    std::string first_entry(const Bee& bee) const {
        const auto found =
            std::ranges::find_if(bee.in, [&](const auto& queue) { return is_entry(queue); });
        return found == bee.in.end() ? std::string{} : *found;
    }

    std::vector<Edge> edges_of(const Bee& bee) const {
        std::vector<Edge> edges;
        for (const std::string& queue : bee.out) {
            const std::size_t before = edges.size();
            for (const Bee& other : bees_) {
                if (has(other.in, queue)) edges.push_back({&bee, queue, &other});
            }
            if (edges.size() == before) edges.push_back({&bee, queue, nullptr});
        }
        return edges;
    }

    void draw_from(const Bee& bee) {
        std::string begin;
        if (const std::string entry = first_entry(bee); !entry.empty()) begin = arrow(entry) + " ";
        entered_.insert(&bee);
        Units line{begin + cell(bee)};
        std::deque<Edge> branches;
        follow(line, bee, branches);
        add_line(line);
        while (!branches.empty()) {
            const Edge edge = branches.front();
            branches.pop_front();
            line = {name(*edge.from)};
            go_along(line, edge, branches);
            add_line(line);
        }
    }

    // The first way out of each bee goes on in the line; the others wait for lines of their own.
    void follow(Units& line, const Bee& bee, std::deque<Edge>& branches) {
        drawn_.insert(&bee);
        const auto edges = edges_of(bee);
        if (edges.empty()) return;
        branches.insert(branches.end(), edges.begin() + 1, edges.end());
        go_along(line, edges.front(), branches);
    }

    void go_along(Units& line, const Edge& edge, std::deque<Edge>& branches) {
        const std::string queue = arrow(edge.queue);
        if (edge.to == nullptr) {
            line.push_back(queue);
        } else if (drawn_.contains(edge.to)) {
            line.push_back(queue + " " + name(*edge.to));
        } else {
            line.push_back(queue + " " + cell(*edge.to));
            follow(line, *edge.to, branches);
        }
    }

    void add_line(const Units& units) {
        std::size_t used = 0;
        for (const std::string& unit : units) {
            if (used > indent && used + 1 + width_of(unit) > width_) {
                text_ += '\n' + std::string(indent - 1, ' ');
                used = indent - 1;
            }
            if (used > 0) text_ += ' ';
            text_ += unit;
            used += width_of(unit) + (used > 0 ? 1 : 0);
        }
        text_ += '\n';
    }

    const json::object& swarm_;
    const std::size_t width_;
    const Bees bees_;
    const Of what_;
    std::set<const Bee*> drawn_;
    std::set<const Bee*> entered_; // by its first entry queue
    std::string text_;
};

} // namespace

std::string swarm_graph(const json::object& swarm, std::size_t width) {
    return Drawing{swarm, width}.text();
}

std::string template_graph(const json::object& bees, std::size_t width) {
    const json::object swarm{{"template", bees}};
    return Drawing{swarm, width, Drawing::Of::plan}.text();
}

bool knows_all_depths(const json::object& swarm) {
    const auto known = [&](const std::string& queue) { return stats_of(swarm, queue) != nullptr; };
    return std::ranges::all_of(bees_of(swarm), [&](const Bee& bee) {
        return std::ranges::all_of(bee.in, known) && std::ranges::all_of(bee.out, known);
    });
}

} // namespace hive::cli
