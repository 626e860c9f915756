#include "store/recording.hpp"

#include "store/audit_ledger.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace hive::store {
namespace {

std::vector<audit::Salt> fresh_salts(std::size_t count, const Entropy& entropy) {
    constexpr std::size_t size = std::tuple_size_v<audit::Salt>;
    Bytes bytes(count * size);
    entropy(bytes); // once for all: each call has its price
    std::vector<audit::Salt> salts(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::ranges::copy(ByteView{bytes}.subspan(i * size, size), salts[i].begin());
    }
    return salts;
}

} // namespace

Status record(
    Session& session, const HiveId& hive, std::span<const audit::Fact> facts,
    const Entropy& entropy) {
    if (facts.empty()) return {};
    AuditLedger ledger{session, hive};
    const auto head = ledger.head();
    if (!head) return fail(head.error());
    const auto batch = audit::extend(*head, facts, fresh_salts(facts.size(), entropy));
    if (!batch) return fail(batch.error());
    return ledger.append(*batch);
}

Status record_all(Session& session, std::span<Recording* const> recordings) {
    std::map<HiveId, Recording> hives;
    for (Recording* recording : recordings) {
        const auto [hive, fresh] =
            hives.try_emplace(recording->hive, Recording{recording->hive, recording->entropy});
        std::ranges::move(recording->facts, std::back_inserter(hive->second.facts));
    }
    for (const auto& [id, hive] : hives) {
        if (auto ok = record(session, id, hive.facts, hive.entropy); !ok) return ok;
    }
    return {};
}

} // namespace hive::store
