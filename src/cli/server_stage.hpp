#pragma once

#include "cli/client_config.hpp"
#include "cli/server_client.hpp"
#include "controller/template.hpp"
#include "run/stage.hpp"
#include "web/curl/curl_client.hpp"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::cli {

// Whom `--server` means: an address, or the name of a profile that `hive login` made. HIVE_KEY is
// the key where it is set.
Result<Connection> connection_of(const std::string& server, const Host& host);

// A swarm of a hive elsewhere for the time of a run: commands over its REST API, statuses from its
// event feed.
class ServerStage final : public run::Stage {
public:
    static Result<std::unique_ptr<ServerStage>>
    open(const Connection& connection, const SwarmId& swarm, const Clock& clock);
    ~ServerStage() override;

    Status create(const json::object& text, const json::object& plan) override;
    Status start() override;
    Status hold(bool hold) override;
    Result<run::Sight> look() override;
    std::string trouble() override;
    Status remove() override;

private:
    // What the feed tells; shared with the thread that it comes on.
    struct Heard {
        std::mutex mutex{};
        std::condition_variable changed{};
        std::string unread{};                        // of the feed, up to the end of a line
        std::map<std::string, run::BeeSight> bees{}; // spoken since the last look began
        std::map<std::string, std::uint64_t> depths{};
        std::vector<run::GuardSight> guards{};
        std::string trouble{};
        std::string feed_end{}; // why it ended
    };

    ServerStage(
        Connection connection, ServerClient client, const SwarmId& swarm, const Clock& clock)
        : connection_{std::move(connection)}, client_{std::move(client)}, swarm_{swarm},
          clock_{clock} {}

    void open_feed();
    Status ask_for_statuses();
    void hear(std::string_view line) const; // one line of the feed
    Status settle(const Result<json::value>& accepted);
    std::string path(std::string_view rest = "") const;
    void wait_for_turn();
    void mind_what_is_under_way(run::Sight& sight);

    Connection connection_;
    ServerClient client_;
    SwarmId swarm_;
    const Clock& clock_;
    controller::Template layout_{};
    bool created_ = false;
    bool draining_ = false;
    std::optional<TimePoint> looked_at_{};
    std::uint64_t processed_ = 0;
    TimePoint moved_at_{};
    std::shared_ptr<Heard> heard_ = std::make_shared<Heard>();
    std::unique_ptr<web::curl::CurlClient> feed_{};
};

} // namespace hive::cli
