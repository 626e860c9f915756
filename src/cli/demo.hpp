#pragma once

#include "cli/command.hpp"
#include "cli/server_client.hpp"
#include "cli/server_config.hpp"
#include "mock/server.hpp"

#include <memory>
#include <string>

namespace hive::cli {

// What `hive up --demo` shows: a system under test in this process, a swarm that calls it until the
// hive is stopped, and some work for a colony. It uses the hive as every client does, with a key of
// its own that ends with it.
class Demo {
public:
    static Result<std::unique_ptr<Demo>>
    start(const ServerConfig& config, const std::string& server, const Call& call);
    ~Demo(); // the swarm goes before what it calls
    Demo(const Demo&) = delete;
    Demo& operator=(const Demo&) = delete;

    const std::string& swarm() const noexcept { return swarm_; }

private:
    Demo(ServerClient client, std::string key_id)
        : client_{std::move(client)}, key_id_{std::move(key_id)} {}
    Status keep_scenario();
    Status run_swarm();
    Status hand_out_tasks();
    Status remove_swarm(); // good when there is none

    ServerClient client_;
    std::string key_id_;
    std::string swarm_ = "demo";
    std::unique_ptr<mock::Server> mock_;
};

} // namespace hive::cli
