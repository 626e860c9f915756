// Who may do what with swarms, as the program documents it about itself.
#include "tests/system/swarm_rest_scene.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace hive;
using namespace hive::tests;

namespace {

struct Operation {
    std::string id;
    Ask ask;
    std::set<std::string> roles{};
};

// A request that gets as far as the door: what it is about does not exist.
Ask ask_for(std::string path, std::string method) {
    std::ranges::transform(
        method, method.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    for (auto at = path.find('{'); at != path.npos; at = path.find('{')) {
        path.replace(at, path.find('}', at) - at + 1, "x1");
    }
    return {.method = method, .path = std::move(path), .body = method == "GET" ? "" : R"({"x":1})"};
}

std::vector<Operation> swarm_operations(RestHive& hive) {
    const std::set<std::string> tags{"swarms", "journal", "taps", "control-plane"};
    const json::object document = hive.get("/api/openapi.json").body();
    std::vector<Operation> found;
    for (const auto& [path, item] : document.at("paths").as_object()) {
        for (const auto& [method, value] : item.as_object()) {
            const json::object& operation = value.as_object();
            const std::string tag{operation.at("tags").as_array().front().as_string()};
            if (!tags.contains(tag)) continue;
            REQUIRE(operation.contains("x-hive-access")); // none of them is open
            Operation one{text_of(operation, "operationId"), ask_for(path, method)};
            for (const auto& role : operation.at("x-hive-access").at("roles").as_array()) {
                one.roles.emplace(role.as_string());
            }
            found.push_back(std::move(one));
        }
    }
    return found;
}

std::string revoked_key(RestHive& hive) {
    const auto made = hive.hive.ask({"key", "create", "--role", "admin", "--owner", "late"});
    const std::string id = text_of(made.at("record").as_object(), "id");
    REQUIRE(hive.hive.run({"key", "revoke", id}).exit_code == 0);
    return text_of(made, "key");
}

} // namespace

TEST_CASE("every route of swarms lets in whom it says, and nobody else") {
    RestHive hive;
    const auto operations = swarm_operations(hive);
    CHECK(operations.size() >= 24);
    const std::string revoked = revoked_key(hive);
    std::map<std::string, std::string> keys;
    for (const char* role : {"admin", "human", "bee", "readonly"}) keys[role] = hive.key_for(role);
    const std::string narrow = hive.key_for("human", {"--scope", "tasks:write"});
    for (const Operation& one : operations) {
        CAPTURE(one.id);
        const auto status = [&](const std::string& key) {
            Ask ask = one.ask;
            ask.key = key;
            return hive.send(std::move(ask)).status;
        };
        CHECK(status("-") == 401);
        CHECK(status(revoked) == 401);
        CHECK(status(narrow) == 403); // its role would be let in, its scopes are not
        for (const auto& [role, key] : keys) {
            CAPTURE(role);
            const auto answered = status(key);
            CHECK((answered == 403) == !one.roles.contains(role));
            CHECK(answered != 401);
            CHECK(answered < 500);
        }
    }
    CHECK(hive.get("/swarms").items().empty());
}
