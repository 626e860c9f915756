#pragma once

#include "orchestrator/keeper.hpp"
#include "orchestrator/stored.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <vector>

namespace hive::tests {

// Keeps what a queen leaves behind, for a next one in the same test.
class MemoryKeeper final : public orchestrator::Keeper {
public:
    Result<orchestrator::Kept> load() override {
        const std::lock_guard lock{mutex_};
        orchestrator::Kept kept;
        for (const auto& [id, stored] : swarms_) {
            kept.swarms.push_back(orchestrator::from_stored(stored).value());
        }
        for (const auto& stored : open_) {
            kept.open.push_back(orchestrator::ask_from_stored(stored).value());
        }
        return kept;
    }

    // What the store says of a batch before it keeps it, from here on.
    void judge_by(std::function<Status(const orchestrator::Batch&)> judge) {
        const std::lock_guard lock{mutex_};
        judge_ = std::move(judge);
    }

    void keep(orchestrator::Batch batch, std::function<void(Status)> done) override {
        if (auto ok = judged(batch); !ok) return done(ok);
        {
            const std::lock_guard lock{mutex_};
            for (const auto& swarm : batch.swarms) {
                swarms_.insert_or_assign(swarm.id, to_stored(swarm));
            }
            for (const auto& id : batch.forgotten) swarms_.erase(id);
            for (const auto& ask : batch.asks) open_.push_back(to_stored(ask));
            for (const auto& ended : batch.endings) {
                std::erase_if(open_, [&](const json::object& ask) {
                    return ask.at("correlationId").as_string() == ended.asked.correlation_id;
                });
            }
            for (auto& entry : batch.entries) entries_.push_back(std::move(entry));
        }
        done({});
    }

    std::vector<orchestrator::JournalEntry> entries() const {
        const std::lock_guard lock{mutex_};
        return entries_;
    }

private:
    Status judged(const orchestrator::Batch& batch) {
        const std::lock_guard lock{mutex_};
        return judge_ ? judge_(batch) : Status{};
    }

    mutable std::mutex mutex_;
    std::function<Status(const orchestrator::Batch&)> judge_;
    std::map<SwarmId, json::object> swarms_; // what outlives a queen, and no more
    std::vector<json::object> open_;
    std::vector<orchestrator::JournalEntry> entries_;
};

} // namespace hive::tests
