#pragma once

#include "kernel/clock.hpp"
#include "kernel/id.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "store/session.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::store {

// A swarm as the orchestrator keeps it; only it knows how to read the body.
struct SwarmRow {
    std::string id;
    std::string run{};
    std::string wish{};
    std::string phase{};
    Timestamp changed{};
    std::string body{};

    bool operator==(const SwarmRow&) const = default;
};

// One life of a swarm, from its creation to its removal.
struct RunRow {
    std::string id;
    std::string swarm{};
    Timestamp created{};
    std::optional<Timestamp> ended{};
    std::string who{};
    json::object labels{};
    std::string notes{};
    bool pinned = false; // never cleared out

    bool operator==(const RunRow&) const = default;
};

struct RunQuery {
    std::optional<std::string> swarm{};
    std::optional<bool> pinned{};
    // Continue after this run, in a listing by creation, newest first.
    struct Position {
        Timestamp created;
        std::string id;
    };
    std::optional<Position> before{};
    std::size_t limit = 100;
};

struct RunPatch {
    std::optional<json::object> labels{};
    std::optional<std::string> notes{};
    std::optional<bool> pinned{};
};

inline constexpr std::size_t runs_page_max = 1000;

// What a hive wants of its swarms, and their runs, within one unit of work.
class SwarmTable {
public:
    SwarmTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    Status save(const SwarmRow& row); // new, or in place of what was there
    Result<std::vector<SwarmRow>> load() const;
    Status remove(std::string_view id); // its run and its journal stay
    // Those in this phase that have not changed since; returns how many.
    Result<std::int64_t> forget(std::string_view phase, Timestamp unchanged_since);

    Status begin_run(const RunRow& run); // one that is there already stays as it is
    Status end_run(std::string_view id, Timestamp when);
    Result<std::vector<RunRow>> runs(const RunQuery& query) const;
    Result<std::optional<RunRow>> find_run(std::string_view id) const;
    Status patch_run(std::string_view id, const RunPatch& patch); // Errc::not_found

private:
    Session* session_;
    HiveId hive_;
};

} // namespace hive::store
