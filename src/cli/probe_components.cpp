#include "cli/probes.hpp"
#include "runtime/process/process_runtime.hpp"
#include "store/sqlite/data_directory.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::cli {
namespace {

using runtime::process::Orphan;

constexpr std::size_t named_max = 20;

Check check_of(Health health, std::string message, std::string remedy = {}) {
    return {
        .name = "components",
        .health = health,
        .message = std::move(message),
        .remedy = std::move(remedy)};
}

std::string components(std::size_t count) {
    return fmt::format("{} component{}", count, count == 1 ? "" : "s");
}

Check without_server(const Orphan& orphan, const std::string& data, bool store_is_elsewhere) {
    // A server whose store is elsewhere leaves no trace in its data directory.
    return check_of(
        store_is_elsewhere ? Health::note : Health::warning,
        fmt::format(
            "{}/{} ({}) runs as process {}{}; its log is {}", orphan.name.swarm.text(),
            orphan.name.instance.text(), orphan.name.role.text(), orphan.pid,
            store_is_elsewhere ? "" : " without a server", orphan.log),
        fmt::format(
            "{}start the server on {}, which adopts it, or end it with 'kill {}'",
            store_is_elsewhere ? "if no server runs, " : "", data, orphan.pid));
}

} // namespace

std::vector<Check> check_components(const std::string& data, bool store_is_elsewhere) {
    auto found = runtime::process::find_records(data);
    if (!found) {
        return {check_of(
            Health::warning, found.error().detail, "look for processes that nobody looks after")};
    }
    const auto dead = static_cast<std::size_t>(
        std::erase_if(*found, [](const Orphan& orphan) { return !orphan.alive; }));
    std::vector<Check> checks;
    if (found->empty()) {
        checks.push_back(check_of(Health::good, "no process of a component runs"));
    } else if (store::sqlite::DataDirectory::is_claimed(data)) {
        checks.push_back(check_of(
            Health::good, components(found->size()) + " run, and the server that has them"));
    } else {
        for (const Orphan& orphan : *found) {
            if (checks.size() == named_max) {
                const std::size_t left = found->size() - named_max;
                checks.push_back(check_of(Health::note, components(left) + " more run"));
                break;
            }
            checks.push_back(without_server(orphan, data, store_is_elsewhere));
        }
    }
    if (dead > 0) {
        checks.push_back(check_of(
            Health::note, fmt::format(
                              "{} that {} gone left a record; the server removes it",
                              components(dead), dead == 1 ? "is" : "are")));
    }
    return checks;
}

} // namespace hive::cli
