#include "api/colony/colony_offer.hpp"

#include "api/colony/approval_routes.hpp"
#include "api/colony/bee_routes.hpp"
#include "api/colony/channel_routes.hpp"
#include "api/colony/cost_routes.hpp"
#include "api/colony/sync_routes.hpp"
#include "api/colony/task_routes.hpp"
#include "api/colony/task_schemas.hpp"

namespace hive::rest {

void offer_colony(const HiveId& hive, ColonyParts& colony, HiveParts& parts) {
    parts.more.push_back([&colony](const SessionParts& s) { return task_routes(s, colony); });
    parts.more.push_back([&colony](const SessionParts& s) { return channel_routes(s, colony); });
    parts.more.push_back([&colony](const SessionParts& s) { return bee_routes(s, colony); });
    parts.more.push_back([&colony](const SessionParts& s) { return approval_routes(s, colony); });
    parts.more.push_back(
        [&colony](const SessionParts& s) { return approval_rule_routes(s, colony); });
    parts.more.push_back([&colony](const SessionParts& s) { return cost_routes(s, colony); });
    parts.more.push_back([&colony](const SessionParts& s) { return price_routes(s, colony); });
    parts.more.push_back([&colony](const SessionParts& s) { return budget_routes(s, colony); });
    parts.more.push_back([&colony](const SessionParts& s) { return sync_routes(s, colony); });
    add_task_schemas(parts.schemas);
    add_channel_schemas(parts.schemas);
    add_bee_schemas(parts.schemas);
    add_approval_schemas(parts.schemas);
    add_cost_schemas(parts.schemas);
    add_sync_schemas(parts.schemas);
    parts.chores.push_back(task_chore(hive, colony));
    parts.chores.push_back(channel_chore(hive, colony));
    parts.chores.push_back(bee_chore(hive, colony));
    parts.chores.push_back(approval_chore(hive, colony));
    if (colony.files != nullptr) parts.chores.push_back(sync_chore(hive, colony));
}

} // namespace hive::rest
