#pragma once

#include "audit/entry.hpp"
#include "kernel/id.hpp"
#include "kernel/result.hpp"
#include "store/session.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace hive::store {

using Facts = std::vector<audit::Fact>;
using Entropy = std::function<void(std::span<std::uint8_t>)>; // for salts; unguessable

// What a unit says happened in a hive; written by its work, each run from scratch.
struct Recording {
    HiveId hive;
    Entropy entropy;
    Facts facts{};
};

// Appends facts to the audit log of the hive, in the transaction of the session.
Status record(
    Session& session, const HiveId& hive, std::span<const audit::Fact> facts,
    const Entropy& entropy);

// As above for units of one transaction, in their order within each hive. Takes their facts.
Status record_all(Session& session, std::span<Recording* const> recordings);

} // namespace hive::store
