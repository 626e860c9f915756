#include "api/rest/refusal_book.hpp"

#include <fmt/format.h>

namespace hive::rest {
namespace {

// A NUL is in none of them.
std::string kind_of(const Refused& refused) {
    return fmt::format(
        "{}{}{}{}{}{}{}{}{}", refused.action, '\0', refused.actor, '\0', refused.peer, '\0',
        refused.reason, '\0', refused.entity_id);
}

Refused one_of_many(Refused refused) {
    return {
        .action = "auth.failed",
        .actor = "many",
        .reason = "refusals of too many kinds to tell them apart",
        .entity_type = "login",
        .request_id = std::move(refused.request_id)};
}

} // namespace

std::optional<Refused> RefusalBook::note(Refused refused, TimePoint now) {
    refused.count = 1;
    auto at = kinds_.find(kind_of(refused));
    if (at == kinds_.end()) {
        if (kinds_.size() >= policy_.kinds_max) refused = one_of_many(std::move(refused));
        at = kinds_.try_emplace(kind_of(refused)).first;
    }
    Kind& kind = at->second;
    const std::uint64_t counted = kind.last.count;
    const bool fresh = kind.until == TimePoint{};
    if (!fresh && now < kind.until) {
        kind.last = std::move(refused);
        kind.last.count = counted + 1;
        return std::nullopt;
    }
    kind.until = now + policy_.once_in;
    kind.last = refused;
    kind.last.count = 0;
    if (!fresh) refused.count += counted;
    return refused;
}

std::vector<Refused> RefusalBook::take_due(TimePoint now) {
    std::vector<Refused> due;
    for (auto at = kinds_.begin(); at != kinds_.end();) {
        if (now < at->second.until) {
            ++at;
            continue;
        }
        if (at->second.last.count > 0) due.push_back(std::move(at->second.last));
        at = kinds_.erase(at);
    }
    return due;
}

std::vector<Refused> RefusalBook::take_all() {
    std::vector<Refused> all;
    for (auto& [name, kind] : kinds_) {
        if (kind.last.count > 0) all.push_back(std::move(kind.last));
    }
    kinds_.clear();
    return all;
}

} // namespace hive::rest
