#include "store/writer.hpp"

#include "store/guarded_session.hpp"
#include "store/recording.hpp"

#include <algorithm>

namespace hive::store {

void Writer::run() {
    bool rested = false;
    while (!queue_.exhausted()) {
        auto group = queue_.take(
            limits_.group_max, rested ? std::nullopt : std::optional{limits_.idle_after});
        if (group.empty()) {
            connection_->idle();
            rested = true;
            continue;
        }
        rested = false;
        commit_group(group);
        complete(group);
    }
}

void Writer::commit_group(std::span<Pending> group) {
    for (std::size_t run = 1;; ++run) {
        const Step step = attempt(group);
        if (step) return;
        connection_->rollback();
        const Broken& loss = step.error();
        if (loss.loss == Loss::repeat && run < limits_.runs_max) continue;
        if (loss.loss == Loss::alone && group.size() > 1) {
            for (auto& pending : group) commit_group({&pending, 1});
            return;
        }
        for (auto& pending : group) {
            // A unit that failed by itself was going to be undone in any case.
            if (pending.outcome) pending.outcome = fail(loss.error);
        }
        return;
    }
}

Step Writer::attempt(std::span<Pending> group) {
    for (auto& pending : group) pending.outcome = {};
    if (auto ok = connection_->begin(); !ok) return ok;
    for (auto& pending : group) {
        if (auto ok = run_unit(pending); !ok) return ok;
    }
    if (auto ok = append_recordings(group); !ok) return ok;
    return connection_->commit();
}

// Together and outside of the units' savepoints: a fraction of what each would cost by itself.
Step Writer::append_recordings(std::span<Pending> group) {
    std::vector<Recording*> recordings;
    TimePoint deadline{};
    for (const auto& pending : group) {
        Recording* recording = pending.unit.recording.get();
        if (recording == nullptr || !pending.outcome || recording->facts.empty()) continue;
        recordings.push_back(recording);
        deadline = std::max(deadline, pending.deadline);
    }
    if (recordings.empty()) return {};
    if (auto ok = connection_->begin_unit(deadline); !ok) return ok;
    const Status appended = run_work(
        [&](Session& session) { return record_all(session, recordings); }, connection_->session());
    if (auto ok = connection_->end_unit(appended.has_value()); !ok) return ok;
    if (!appended) return broken(Loss::alone, appended.error());
    return {};
}

Step Writer::run_unit(Pending& pending) {
    if (SystemClock{}.now() >= pending.deadline) {
        pending.outcome = fail(
            Errc::timeout, "the store was too busy to start this in time; nothing was applied");
        return {};
    }
    if (auto ok = connection_->begin_unit(pending.deadline); !ok) return ok;
    pending.outcome = run_work(pending.unit.work, connection_->session());
    const bool keep = pending.outcome.has_value();
    return connection_->end_unit(keep);
}

} // namespace hive::store
