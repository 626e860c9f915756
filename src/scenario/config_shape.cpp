#include "scenario/config_shape.hpp"

#include "kernel/text.hpp"
#include "kernel/yaml_json.hpp"
#include "scenario/members.hpp"
#include "scenario/places.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

namespace hive::scenario {
namespace {

struct Ignored {
    std::string_view path;
    std::string_view why;
};
constexpr std::string_view even = "items are sent evenly, without ticks";
constexpr std::string_view rows = "see sinks for what a postprocessor writes";
constexpr std::array ignored{
    Ignored{"docker", "bees are no containers"},
    Ignored{"ui", "it is for an editor"},
    Ignored{"enabled", "a swarm enables its bees when it starts"},
    Ignored{"inputs.scheduler.tickIntervalMs", even},
    Ignored{"inputs.scheduler.maxPendingTicks", even},
    Ignored{"inputs.scheduler.enabled", even},
    Ignored{"inputs.redis.tickIntervalMs", even},
    Ignored{"inputs.csv.tickIntervalMs", even},
    Ignored{"inputs.rabbit.concurrentConsumers", "use replicas"},
    Ignored{"inputs.rabbit.exclusive", "use replicas"},
    Ignored{"inputs.rabbit.deadLetterQueue", "every queue has its .dead twin"},
    Ignored{"outputs.rabbit.publisherConfirms", "everything sent is confirmed"},
    Ignored{"publishAllMetrics", "every call is measured"},
    Ignored{"txOutcomeSinkMode", rows},
    Ignored{"dropTxOutcomeWithoutCallId", rows},
    Ignored{"writeTxOutcomeToClickHouse", rows},
    Ignored{"tcpTransport.type", "there is one transport, and it does not block"},
    Ignored{"tcpTransport.workerThreads", "see ioThreads"},
    Ignored{"tcpTransport.tcpNoDelay", "it is always on"},
    Ignored{"interceptors.redisUploader.enabled", "an uploader that is written is on"},
};

struct Renamed {
    std::string_view from;
    std::string_view to;
};
constexpr std::array renamed{
    Renamed{"interceptors.redisUploader.fallbackList", "interceptors.redisUploader.defaultList"},
    Renamed{"tcpTransport.connectTimeoutMs", "connectTimeoutMs"},
    Renamed{"tcpTransport.readTimeoutMs", "firstByteTimeoutMs"},
    Renamed{"tcpTransport.connectionReuse", "connectionReuse"},
    Renamed{"tcpTransport.keepAlive", "keepAlive"},
    Renamed{"tcpTransport.sslVerify", "sslVerify"},
};

std::vector<std::string_view> names_in(std::string_view path) {
    std::vector<std::string_view> names;
    for (;;) {
        const auto dot = path.find('.');
        names.push_back(path.substr(0, dot));
        if (dot == path.npos) return names;
        path.remove_prefix(dot + 1);
    }
}

// The object that holds the last name of the path; null when it is not there.
json::object* holder_of(json::object& config, const std::vector<std::string_view>& names) {
    json::object* at = &config;
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
        auto* next = at->if_contains(names[i]);
        if (next == nullptr || !next->is_object()) return nullptr;
        at = &next->get_object();
    }
    return at->contains(names.back()) ? at : nullptr;
}

// An empty `headers:` means none, as if it had been left out.
void drop_nulls(json::value& value) {
    if (auto* object = value.if_object()) {
        for (auto at = object->begin(); at != object->end();) {
            drop_nulls(at->value());
            at->value().is_null() ? at = object->erase(at) : ++at;
        }
    } else if (auto* array = value.if_array()) {
        for (auto& each : *array) drop_nulls(each);
    }
}

class Shaper {
public:
    Shaper(const YamlNode& written, const std::string& path, Report& report)
        : written_{written}, path_{path}, report_{report} {}

    json::object shape() {
        json::value whole = to_json(written_);
        drop_nulls(whole);
        lift_worker(whole);
        json::object& config = whole.get_object();
        check_volumes(config);
        switch_off_uploader(config);
        for (const Renamed& each : renamed) rename(config, each);
        for (const Ignored& each : ignored) ignore(config, each);
        drop_empty(config, "tcpTransport");
        return std::move(config);
    }

private:
    Position place(std::string_view path) const { return place_in_config(written_, path); }
    std::string key(std::string_view path) const { return below(path_, path); }

    static void lift_worker(json::value& whole) {
        json::object& config = whole.get_object();
        const auto* worker = config.if_contains("worker");
        if (worker == nullptr || !worker->is_object()) return;
        const json::value own = *worker;
        config.erase("worker");
        merge_patch(whole, own);
    }

    void check_volumes(const json::object& config) {
        const auto* docker = config.if_contains("docker");
        const auto* volumes = docker != nullptr && docker->is_object()
                                  ? docker->get_object().if_contains("volumes")
                                  : nullptr;
        if (volumes == nullptr || !volumes->is_array()) return;
        std::size_t i = 0;
        for (const auto& volume : volumes->get_array()) {
            check_volume(volume, fmt::format("docker.volumes[{}]", i++));
        }
    }

    // `host:container[:ro|rw]`. It is not used, but one that is broken says that the bundle is.
    void check_volume(const json::value& volume, const std::string& path) {
        std::string_view text = volume.is_string() ? std::string_view{volume.get_string()} : "";
        for (const std::string_view mode : {":ro", ":rw"}) {
            if (text.ends_with(mode)) text.remove_suffix(mode.size());
        }
        const auto colon = text.find(':');
        const bool good = colon != text.npos && colon > 0 && colon + 1 < text.size() &&
                          text.find(':', colon + 1) == text.npos;
        if (good) return;
        report_.error(
            {.code = "bad-volume",
             .at = place(path),
             .key = key(path),
             .message = fmt::format("'{}' is no volume", printable(text)),
             .hint = "write host:container, with :ro or :rw behind it, or remove it: volumes are "
                     "not used here"});
    }

    static void switch_off_uploader(json::object& config) {
        const std::vector<std::string_view> names{"interceptors", "redisUploader", "enabled"};
        const json::object* uploader = holder_of(config, names);
        if (uploader == nullptr || uploader->at("enabled") != false) return;
        config.at("interceptors").get_object().erase("redisUploader");
    }

    void rename(json::object& config, const Renamed& each) {
        const auto names = names_in(each.from);
        json::object* holder = holder_of(config, names);
        if (holder == nullptr) return;
        json::value value = std::move(holder->at(names.back()));
        holder->erase(names.back());
        const auto target = names_in(each.to);
        json::object* into = &config;
        for (std::size_t i = 0; i + 1 < target.size(); ++i) {
            into = &(*into)[target[i]].get_object(); // renamed within what is there
        }
        if (!into->contains(target.back())) (*into)[target.back()] = std::move(value);
        report_.warning(
            {.code = "renamed-key",
             .at = place(each.from),
             .key = key(each.from),
             .message = "is an older name",
             .hint = fmt::format("write it as {} of the config", each.to)});
    }

    void ignore(json::object& config, const Ignored& each) {
        const auto names = names_in(each.path);
        json::object* holder = holder_of(config, names);
        if (holder == nullptr) return;
        holder->erase(names.back());
        if (each.path == "interceptors.redisUploader.enabled") return; // said as plainly without it
        report_.warning(
            {.code = "ignored-key",
             .at = place(each.path),
             .key = key(each.path),
             .message = fmt::format("has no meaning here: {}", each.why),
             .hint = "leave it, or remove it"});
    }

    static void drop_empty(json::object& config, std::string_view name) {
        const auto* member = config.if_contains(name);
        if (member != nullptr && member->is_object() && member->get_object().empty()) {
            config.erase(name);
        }
    }

    const YamlNode& written_;
    const std::string& path_;
    Report& report_;
};

} // namespace

std::vector<std::pair<std::string_view, std::string>> settings_without_meaning() {
    std::vector<std::pair<std::string_view, std::string>> all;
    for (const Ignored& each : ignored) {
        all.emplace_back(each.path, fmt::format("Has no meaning here: {}", each.why));
    }
    for (const Renamed& each : renamed) {
        all.emplace_back(each.from, fmt::format("An older name of {}", each.to));
    }
    return all;
}

json::object shape_config(const YamlNode& written, const std::string& path, Report& report) {
    return Shaper{written, path, report}.shape();
}

} // namespace hive::scenario
