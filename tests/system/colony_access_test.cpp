// Every route of the colony, asked by every role and by nobody.
#include "tests/system/colony_scene.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

using namespace hive;
using namespace hive::test;

namespace {

std::string path_of(const api::Route& route) {
    std::string path = route.path;
    for (std::size_t at = path.find('{'); at != path.npos; at = path.find('{')) {
        const std::size_t end = path.find('}', at);
        const std::string name = path.substr(at, end - at);
        const bool uuid = name.ends_with(":uuid");
        path.replace(at, end - at + 1, uuid ? "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a99" : "x1");
    }
    std::string query;
    for (const auto& parameter : route.query) {
        if (parameter.required) query += fmt::format("?{}=x", parameter.name);
    }
    return path + query;
}

Answer ask(const HiveUnderTest& hive, const api::Route& route, const std::string& headers) {
    std::string body;
    std::string type;
    if (route.request) {
        const auto* words = route.request->example.if_string();
        body = words != nullptr ? std::string{std::string_view{*words}}
                                : to_text(route.request->example);
        type = fmt::format("Content-Type: {}\r\n", route.request->type);
    }
    return hive.send(http::name_of(route.method), path_of(route), headers + type, body);
}

} // namespace

TEST_CASE("every route of the colony lets in whom it says, and nobody else") {
    ColonyUnderTest colony;
    const std::set<std::string> tags{"tasks", "channels", "bees", "approvals", "costs"};
    const std::map<accounts::Role, std::string> keys{
        {accounts::Role::admin, colony.admin().headers},
        {accounts::Role::human, colony.person().headers},
        {accounts::Role::bee, colony.bee("BEE-001").headers},
        {accounts::Role::readonly,
         HiveUnderTest::bearer(colony.hive().key_text(
             {.id = {}, .owner = "eve", .role = accounts::Role::readonly}))}};
    std::size_t walked = 0;
    for (const auto& route : colony.hive().server->routes().routes()) {
        if (!tags.contains(route.tag)) continue;
        ++walked;
        CAPTURE(route.id);
        CHECK((ask(colony.hive(), route, "").status == 401) == !route.access.is_open());
        for (const auto& [role, key] : keys) {
            CAPTURE(accounts::name_of(role));
            const auto answer = ask(colony.hive(), route, key);
            CAPTURE(answer.body);
            CHECK(answer.status != 401);
            CHECK(answer.status < 500);
            // Bees do not pause bees, whatever their keys say.
            const bool by_handler =
                role == accounts::Role::bee && route.id.ends_with("Bee") && route.id != "getBee";
            if (!by_handler) CHECK((answer.status == 403) == !route.access.admits(role));
        }
    }
    CHECK(walked >= 50);
}

TEST_CASE("who decides, who overrides and who sets prices, said once more in other words") {
    ColonyUnderTest colony;
    std::map<std::string, std::set<std::string>> allowed;
    for (const auto& route : colony.hive().server->routes().routes()) {
        for (const accounts::Role role :
             {accounts::Role::admin, accounts::Role::human, accounts::Role::bee,
              accounts::Role::readonly}) {
            if (!route.access.is_open() && route.access.admits(role)) {
                allowed[route.id].insert(std::string{accounts::name_of(role)});
            }
        }
    }
    using Names = std::set<std::string>;
    for (const auto* id :
         {"createApprovalRule", "replaceApprovalRule", "removeApprovalRule", "overrideApproval",
          "createPrice", "replacePrice", "removePrice", "createBudget", "replaceBudget",
          "removeBudget"}) {
        CAPTURE(id);
        CHECK(allowed[id] == Names{"admin"});
    }
    for (const auto* id : {"decideApproval", "createApprovalLink"}) {
        CAPTURE(id);
        CHECK(allowed[id] == Names{"admin", "human"});
    }
    for (const auto* id :
         {"askForApproval", "withdrawApproval", "addApprovalEvidence", "recordCost"}) {
        CAPTURE(id);
        CHECK(allowed[id] == Names{"admin", "bee", "human"});
    }
    CHECK(allowed["listApprovals"] == Names{"admin", "bee", "human", "readonly"});
}
