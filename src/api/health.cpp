#include "api/health.hpp"

namespace hive::api {

void Health::add(std::string name, Check check) {
    const std::lock_guard lock{mutex_};
    checks_.emplace_back(std::move(name), std::move(check));
}

void Health::start_draining() {
    const std::lock_guard lock{mutex_};
    draining_ = true;
}

Health::Report Health::report() const {
    std::vector<std::pair<std::string, Check>> checks;
    Report report;
    {
        const std::lock_guard lock{mutex_};
        checks = checks_;
        report.ready = !draining_;
    }
    json::object parts;
    if (!report.ready) parts["server"] = {{"status", "DOWN"}, {"detail", "shutting down"}};
    for (const auto& [name, check] : checks) {
        const Status status = check();
        if (status) {
            parts[name] = {{"status", "UP"}};
        } else {
            parts[name] = {{"status", "DOWN"}, {"detail", status.error().detail}};
            report.ready = false;
        }
    }
    report.document = {{"status", report.ready ? "UP" : "DOWN"}, {"components", std::move(parts)}};
    return report;
}

} // namespace hive::api
