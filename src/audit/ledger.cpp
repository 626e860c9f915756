#include "audit/ledger.hpp"

namespace hive::audit {
namespace {

bool fits(const std::optional<std::string>& wanted, std::string_view found) {
    return !wanted || *wanted == found;
}

} // namespace

bool matches(const Query& query, const EntryView& entry) {
    return fits(query.actor, entry.actor) && fits(query.action, entry.action) &&
           fits(query.entity_type, entry.entity_type) && fits(query.entity_id, entry.entity_id) &&
           (!query.since || entry.time >= *query.since) &&
           (!query.until || entry.time < *query.until) &&
           (!query.before || entry.sequence < *query.before);
}

} // namespace hive::audit
