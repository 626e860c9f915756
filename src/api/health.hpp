#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace hive::api {

// Whether the server can do its work. Each part registers how to ask it; a check must be quick,
// since it runs while a probe waits.
class Health {
public:
    using Check = std::function<Status()>;

    struct Report {
        bool ready = true;
        json::object document;
    };

    void add(std::string name, Check check);
    void start_draining(); // not ready from now on: the load balancer should look elsewhere
    Report report() const;

private:
    mutable std::mutex mutex_;
    std::vector<std::pair<std::string, Check>> checks_;
    bool draining_ = false;
};

} // namespace hive::api
