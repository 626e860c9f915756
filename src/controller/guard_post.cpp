#include "controller/guard_post.hpp"

#include "guard/steered.hpp"
#include "kernel/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace hive::controller {
namespace {

bool has_queue(const std::vector<Port>& ports, const std::string& queue) {
    return std::ranges::any_of(ports, [&](const Port& port) { return port.queue.text() == queue; });
}

class Reader {
public:
    explicit Reader(const Template& layout) : layout_{layout} {}

    Result<std::vector<GuardPost>> read(const json::object& policy) {
        for (const auto& [name, value] : policy) {
            const std::string path = fmt::format("trafficPolicy.{}", std::string_view{name});
            if (name == "bufferGuard") {
                read_one(value, path);
            } else if (name == "bufferGuards" && value.is_array()) {
                for (std::size_t i = 0; i < value.get_array().size(); ++i) {
                    read_one(value.get_array()[i], fmt::format("{}[{}]", path, i));
                }
            } else {
                problem(
                    path, "unknown; there are bufferGuard, an object, and bufferGuards, a list");
            }
        }
        if (!problems_.empty()) return fail(Errc::invalid, problems_);
        return std::move(posts_);
    }

private:
    void problem(const std::string& path, std::string_view what) {
        if (!problems_.empty()) problems_ += "; ";
        problems_ += fmt::format("{}: {}", path, what);
    }

    void read_one(const json::value& value, const std::string& path) {
        if (!value.is_object()) return problem(path, "must be an object");
        GuardPost post{.text = value.get_object()};
        auto settings = hive::bind<guard::Settings>(post.text, path);
        if (!settings) return problem(path, settings.error().detail);
        post.settings = *std::move(settings);
        const auto& behind = post.settings.backpressure;
        if (behind && !is_queue(behind->queue)) {
            problem(
                path + ".backpressure.queueAlias",
                fmt::format("no bee has a queue '{}'", behind->queue));
        }
        if (!is_queue(post.settings.queue)) {
            return problem(
                path + ".queueAlias", fmt::format("no bee has a queue '{}'", post.settings.queue));
        }
        find_bees(post, path);
        posts_.push_back(std::move(post));
    }

    bool is_queue(const std::string& queue) const {
        return std::ranges::any_of(layout_.bees, [&](const BeeSpec& bee) {
            return has_queue(bee.in, queue) || has_queue(bee.out, queue);
        });
    }

    void find_bees(GuardPost& post, const std::string& path) {
        std::string why_not;
        for (const BeeSpec& bee : layout_.bees) {
            const std::string& instance = bee.instance.text();
            if (bee.role.text() == "moderator" && has_queue(bee.in, post.settings.queue)) {
                post.moderators.push_back(instance);
            }
            if (!has_queue(bee.out, post.settings.queue)) continue;
            const auto field = guard::rate_field_of({bee.config, !bee.in.empty()});
            if (!field) {
                why_not += fmt::format(", {} {}", instance, field.error().detail);
                continue;
            }
            if (!steered_.insert(instance).second) {
                problem(
                    path + ".queueAlias",
                    fmt::format("another guard steers {} already; one guard each", instance));
            }
            post.producers.push_back({.instance = instance, .field = *field});
        }
        if (post.producers.empty()) {
            problem(
                path + ".queueAlias",
                fmt::format(
                    "nobody fills '{}' whose rate can be steered{}", post.settings.queue, why_not));
        }
    }

    const Template& layout_;
    std::string problems_{};
    std::vector<GuardPost> posts_{};
    std::set<std::string> steered_{};
};

} // namespace

Result<std::vector<GuardPost>> read_guards(const json::object& policy, const Template& layout) {
    return Reader{layout}.read(policy);
}

} // namespace hive::controller
