#include "store/reader.hpp"

#include "store/guarded_session.hpp"

namespace hive::store {

void Reader::run() {
    while (!queue_.exhausted()) {
        auto taken = queue_.take(1, std::nullopt);
        for (auto& pending : taken) serve(pending);
        complete(taken);
    }
}

void Reader::serve(Pending& pending) {
    constexpr int runs_max = 3;
    for (int run = 1;; ++run) {
        if (SystemClock{}.now() >= pending.deadline) {
            pending.outcome = fail(Errc::timeout, "the store was too busy to read this in time");
            return;
        }
        pending.outcome = {};
        const Step step = attempt(pending);
        connection_->rollback();
        if (step) return;
        if (step.error().loss == Loss::repeat && run < runs_max) continue;
        if (pending.outcome) pending.outcome = fail(step.error().error);
        return;
    }
}

Step Reader::attempt(Pending& pending) {
    if (auto ok = connection_->begin(); !ok) return ok;
    if (auto ok = connection_->begin_unit(pending.deadline); !ok) return ok;
    pending.outcome = run_work(pending.unit.work, connection_->session());
    const bool keep = pending.outcome.has_value();
    return connection_->end_unit(keep);
}

} // namespace hive::store
