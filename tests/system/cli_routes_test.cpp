// Whatever the colony can do over HTTP it can do from a shell: each operation of the API's own
// description has a command.
#include "tests/system/cli_hive.hpp"
#include "tests/system/http_client.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <sstream>

using namespace hive;
using namespace hive::tests;

namespace {

const std::map<std::string, std::string> commands{
    {"listTasks", "task list"},
    {"createTask", "task create"},
    {"createTasks", "task create"},
    {"getTask", "task show"},
    {"changeTask", "task update"},
    {"getTaskMachine", "task machine"},
    {"countTasks", "task counts"},
    {"claimNextTasks", "task next"},
    {"claimTask", "task claim"},
    {"beatTask", "task heartbeat"},
    {"progressTask", "task progress"},
    {"completeTask", "task complete"},
    {"completeTasks", "task complete-all"},
    {"failTask", "task fail"},
    {"blockTask", "task block"},
    {"unblockTask", "task unblock"},
    {"releaseTask", "task release"},
    {"cancelTask", "task cancel"},
    {"redriveTask", "task redrive"},
    {"redriveTasks", "task redrive-all"},
    {"reopenTask", "task reopen"},
    {"commentTask", "task comment"},
    {"listChannels", "message list"},
    {"listMessages", "message list"},
    {"sendMessage", "message send"},
    {"getMessage", "message show"},
    {"getThread", "message thread"},
    {"acknowledgeMessage", "message ack"},
    {"readChannel", "message read"},
    {"listBees", "bee list"},
    {"getBee", "bee show"},
    {"beat", "bee heartbeat"},
    {"pauseBee", "bee pause"},
    {"resumeBee", "bee resume"},
    {"listApprovals", "approval list"},
    {"getApproval", "approval show"},
    {"askForApproval", "approval ask"},
    {"decideApproval", "approval approve"},
    {"overrideApproval", "approval override"},
    {"withdrawApproval", "approval withdraw"},
    {"addApprovalEvidence", "approval evidence"},
    {"createApprovalLink", "approval link"},
    {"listApprovalRules", "approval rule list"},
    {"getApprovalRule", "approval rule show"},
    {"createApprovalRule", "approval rule create"},
    {"replaceApprovalRule", "approval rule update"},
    {"removeApprovalRule", "approval rule remove"},
    {"recordCost", "cost record"},
    {"listCosts", "cost list"},
    {"summarizeCosts", "cost summary"},
    {"listPrices", "cost price list"},
    {"getPrice", "cost price show"},
    {"createPrice", "cost price create"},
    {"replacePrice", "cost price update"},
    {"removePrice", "cost price remove"},
    {"listBudgets", "cost budget list"},
    {"getBudget", "cost budget show"},
    {"createBudget", "cost budget create"},
    {"replaceBudget", "cost budget update"},
    {"removeBudget", "cost budget remove"},
    {"listWebhooks", "webhook list"},
    {"getWebhook", "webhook show"},
    {"createWebhook", "webhook create"},
    {"changeWebhook", "webhook update"},
    {"removeWebhook", "webhook remove"},
    {"rotateWebhookSecret", "webhook rotate"},
    {"testWebhook", "webhook test"},
    {"listDeliveries", "webhook deliveries"},
    {"getDelivery", "webhook deliveries"},
    {"replayDelivery", "webhook replay"},
    {"replayDeliveries", "webhook replay"},
    {"getSyncStatus", "sync status"},
    {"pullFiles", "sync pull"},
    {"pushFiles", "sync push"}};

// Pages for browsers: a link is opened, not typed.
const std::set<std::string> pages{"showApprovalLink", "followApprovalLink"};

std::set<std::string> operations_of_the_colony(const std::string& url) {
    const std::set<std::string> tags{"tasks", "channels", "bees", "approvals",
                                     "costs", "webhooks", "sync"};
    auto client = hive::test::Client::tcp(url.substr(url.find("//") + 2));
    const auto answer = client.get("/api/openapi.json");
    const auto spec = parse_json(answer.body, {.bytes = 10'000'000});
    REQUIRE_MESSAGE(spec, answer.status);
    std::set<std::string> found;
    for (const auto& [path, methods] : spec->at("paths").as_object()) {
        for (const auto& [method, operation] : methods.as_object()) {
            const auto* tag =
                operation.is_object() ? operation.as_object().if_contains("tags") : nullptr;
            if (tag == nullptr || !tags.contains(std::string{tag->at(0).as_string()})) continue;
            found.emplace(operation.at("operationId").as_string());
        }
    }
    return found;
}

} // namespace

TEST_CASE("every operation of the colony has a command, and each command is there") {
    const RunningHive hive;
    const auto operations = operations_of_the_colony(hive.url);
    CHECK(operations.size() > 60);
    for (const auto& operation : operations) {
        if (!pages.contains(operation)) CHECK_MESSAGE(commands.contains(operation), operation);
    }
    std::set<std::string> paths;
    for (const auto& [operation, path] : commands) {
        CHECK_MESSAGE(operations.contains(operation), operation);
        paths.insert(path);
    }
    for (const auto& path : paths) {
        std::vector<std::string> args{"help"};
        std::istringstream words{path};
        for (std::string word; words >> word;) args.push_back(word);
        const auto help = hive.run(args);
        CHECK_MESSAGE(help.exit_code == 0, path, help.err);
        CHECK_MESSAGE(contains(help.out, "--json"), path);
    }
}
