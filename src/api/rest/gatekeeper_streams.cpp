// Streams outlive the request that opened them: who listens is looked up again and again.
#include "api/rest/gatekeeper.hpp"
#include "store/accounts_tables.hpp"

#include <algorithm>
#include <memory>

namespace hive::rest {
namespace {

constexpr std::size_t proofs_a_round = 1000;

// Which of these proofs are good no more. A copy: it outlives the caller.
struct EndedProofs {
    std::map<std::string, std::optional<Digest>> proofs; // with the hash of a session
    accounts::SessionPolicy policy;
    HiveId hive;
    Timestamp now{};

    Result<bool> is_over(store::Session& unit, const Digest& session) const {
        const auto row = store::SessionTable{unit, hive}.find(session);
        if (!row) return fail(row.error());
        return !*row || !accounts::principal_of(**row, policy, now);
    }

    Result<bool> is_over(store::Session& unit, const std::string& key) const {
        const auto row = store::KeyTable{unit, hive}.find(key);
        if (!row) return fail(row.error());
        return *row && !accounts::principal_of(**row, now);
    }

    Result<std::vector<std::string>> find(store::Session& unit) const {
        std::vector<std::string> ended;
        for (const auto& [id, session] : proofs) {
            const auto over = session ? is_over(unit, *session) : is_over(unit, id);
            if (!over) return fail(over.error());
            if (*over) ended.push_back(id);
        }
        return ended;
    }
};

} // namespace

// The next ones of those that somebody listens with, in a circle.
std::map<std::string, std::optional<Digest>> Gatekeeper::next_proofs() {
    const std::vector<std::string> all = transactions_->hub().proofs();
    const TimePoint old = transactions_->clock().now() - policy_.ticket_valid;
    std::map<std::string, std::optional<Digest>> next;
    const std::lock_guard lock{mutex_};
    // A session that is neither listening nor about to is forgotten here.
    std::erase_if(session_hashes_, [&](const auto& entry) {
        return entry.second.noted < old && !std::ranges::binary_search(all, entry.first);
    });
    if (checked_up_to_.empty() || all.empty() || all.back() <= checked_up_to_) {
        checked_up_to_.clear();
    }
    for (auto at = std::ranges::upper_bound(all, checked_up_to_);
         at != all.end() && next.size() < proofs_a_round; ++at) {
        checked_up_to_ = *at;
        const auto session = session_hashes_.find(*at);
        next[*at] =
            session == session_hashes_.end() ? std::nullopt : std::optional{session->second.hash};
    }
    return next;
}

void Gatekeeper::dismiss_ended() {
    auto proofs = next_proofs();
    if (proofs.empty()) return;
    const EndedProofs question{
        std::move(proofs), policy_.sessions, transactions_->chronicle().hive(),
        transactions_->clock().wall()};
    auto ended = std::make_shared<std::vector<std::string>>();
    const auto work = [ended, question](store::Session& unit) -> Status {
        auto found = question.find(unit);
        if (!found) return fail(found.error());
        *ended = std::move(*found);
        return {};
    };
    const auto done = [ended, hub = &transactions_->hub(), log = log_](const Status& read) {
        if (!read) log.warn("cannot look up who listens", {{"reason", read.error().detail}});
        if (!read) return;
        for (const std::string& proof : *ended) hub->dismiss(proof);
    };
    auto taken = transactions_->chronicle().database().read({.work = work}, done);
    if (!taken) log_.warn("cannot look up who listens", {{"reason", taken.error().detail}});
}

} // namespace hive::rest
