#pragma once

#include "tests/simulation/disk.hpp"
#include "tests/simulation/handshake/performer.hpp"
#include "tests/simulation/handshake/requester.hpp"

#include <string>

namespace hive::simulation::handshake {

// How both sides write what they must not forget, and read it when they start.
//   performer: `ledger` = keys; `job/<correlation>` = <key> working|performed|announced <entry>
//   requester: `order/<key>` = <attempts> sent|accepted|ended|given-up <entry> <deadline, ns>
inline constexpr std::string_view ledger_key = "ledger";
inline constexpr std::string_view job_prefix = "job/";
inline constexpr std::string_view order_prefix = "order/";

void save_ledger(Disk& disk, const PerformerState& state);
void save_job(Disk& disk, const PerformerState& state, const std::string& correlation);
PerformerState recall_performer(const Disk& disk, TimePoint now);

void save_order(Disk& disk, const RequesterState& state, const std::string& key);
RequesterState recall_requester(const Disk& disk, TimePoint now);

} // namespace hive::simulation::handshake
