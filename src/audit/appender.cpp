#include "audit/appender.hpp"

#include <fmt/format.h>

namespace hive::audit {
namespace {

Entry place(const Head& head, const Fact& fact, const Salt& salt) {
    return Entry{
        .sequence = head.size() + 1,
        .time = fact.time,
        .hive = head.hive.text(),
        .actor = fact.actor,
        .action = fact.action,
        .entity_type = fact.entity_type,
        .entity_id = fact.entity_id,
        .correlation_id = fact.correlation_id,
        .request_id = fact.request_id,
        .commitment = commit_to(salt, fact.details.text()),
        .disclosure = Disclosure{salt, fact.details.text()},
    };
}

} // namespace

Head empty_log(HiveId hive) {
    const Digest genesis = genesis_of(hive.text());
    return Head{.hive = std::move(hive), .chain = genesis};
}

Result<Batch> extend(const Head& head, std::span<const Fact> facts, std::span<const Salt> salts) {
    if (facts.size() != salts.size()) {
        return fail(
            Errc::invalid,
            fmt::format("{} facts need as many salts, not {}", facts.size(), salts.size()));
    }
    for (const Fact& fact : facts) {
        if (auto ok = check(fact); !ok) return fail(ok.error());
    }
    Batch batch{.head = head};
    batch.entries.reserve(facts.size());
    batch.nodes.reserve(facts.size() * 2);
    for (std::size_t i = 0; i < facts.size(); ++i) {
        Entry entry = place(batch.head, facts[i], salts[i]);
        const CanonicalBytes bytes{view_of(entry)};
        entry.hash = chain_hash(batch.head.chain, bytes);
        batch.head.chain = entry.hash;
        batch.head.tree.append(leaf_hash(bytes.view()), &batch.nodes);
        batch.entries.push_back(std::move(entry));
    }
    return batch;
}

Checkpoint checkpoint_of(const Head& head, std::string origin, Timestamp now) {
    return Checkpoint{
        .origin = std::move(origin),
        .size = head.size(),
        .root = head.tree.root(),
        .chain = head.chain,
        .time = now,
    };
}

} // namespace hive::audit
