#pragma once

#include "cli/local_hive.hpp"
#include "cli/reach.hpp"
#include "cli/server_client.hpp"
#include "kernel/json.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hive::cli {

struct KeyWish {
    std::string owner;
    std::string role;
    std::string kind{}; // empty: as the role suggests
    std::vector<std::string> scopes{};
    std::optional<Duration> valid_for{};
};

// The keys of a hive. Whichever way it is reached, answers have the form of the REST API.
class KeyAccess {
public:
    virtual ~KeyAccess() = default;

    virtual Result<json::object> create(const KeyWish& wish) = 0;   // {"key", "record"}
    virtual Result<json::array> list(const std::string& owner) = 0; // empty: of everyone
    virtual Result<json::object> show(const std::string& id) = 0;
    virtual Result<json::object> rotate(const std::string& id) = 0; // {"key", "record"}
    virtual Result<json::object> revoke(const std::string& id) = 0;
};

class RemoteKeys final : public KeyAccess {
public:
    explicit RemoteKeys(ServerClient client) : client_{std::move(client)} {}

    Result<json::object> create(const KeyWish& wish) override;
    Result<json::array> list(const std::string& owner) override;
    Result<json::object> show(const std::string& id) override;
    Result<json::object> rotate(const std::string& id) override;
    Result<json::object> revoke(const std::string& id) override;

private:
    ServerClient client_;
};

class LocalKeys final : public KeyAccess {
public:
    explicit LocalKeys(std::unique_ptr<LocalHive> hive) : hive_{std::move(hive)} {}

    Result<json::object> create(const KeyWish& wish) override;
    Result<json::array> list(const std::string& owner) override;
    Result<json::object> show(const std::string& id) override;
    Result<json::object> rotate(const std::string& id) override;
    Result<json::object> revoke(const std::string& id) override;

private:
    // A change that answers something.
    Result<json::object> change(std::function<Result<json::object>(rest::Change& change)> work);

    std::unique_ptr<LocalHive> hive_;
};

Result<std::unique_ptr<KeyAccess>>
reach_keys(const ReachConfig& config, const Call& call, StoreUse use = StoreUse::visit);

} // namespace hive::cli
