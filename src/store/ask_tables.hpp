#pragma once

#include "kernel/clock.hpp"
#include "kernel/id.hpp"
#include "kernel/result.hpp"
#include "store/session.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::store {

// What somebody asked of the orchestrator; only it knows how to read body and outcome.
struct AskRow {
    std::string correlation_id;
    Timestamp asked{};
    std::optional<Timestamp> ended{};
    std::string body{};
    std::optional<std::string> outcome{};

    bool operator==(const AskRow&) const = default;
};

struct EndedAsk {
    std::string_view correlation_id;
    Timestamp when{};
    std::string_view outcome;
};

// The requests of a hive from the asking to some time after their end, within one unit of work.
class AskTable {
public:
    AskTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    Status add(const AskRow& row);            // one that is there already stays as it is
    Status end(const EndedAsk& ended);        // the first end stays
    Result<std::vector<AskRow>> open() const; // the oldest first
    Result<std::optional<AskRow>> find(std::string_view id) const;
    Result<std::int64_t> forget(Timestamp ended_before); // returns how many

private:
    Session* session_;
    HiveId hive_;
};

} // namespace hive::store
