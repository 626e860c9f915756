#include "api/colony/claim_room.hpp"

#include <algorithm>

namespace hive::rest {

std::uint64_t ClaimRoom::rings() const {
    const std::lock_guard lock{mutex_};
    return rings_;
}

std::uint64_t ClaimRoom::enter(Seeker seeker, std::uint64_t rings_seen, Wake wake) {
    std::unique_lock lock{mutex_};
    if (rings_ != rings_seen) {
        lock.unlock();
        wake(true);
        return 0;
    }
    waiting_.push_back({next_, std::move(seeker), std::move(wake)});
    return next_++;
}

void ClaimRoom::leave(std::uint64_t place) {
    const std::lock_guard lock{mutex_};
    std::erase_if(waiting_, [&](const Waiting& one) { return one.place == place; });
}

void ClaimRoom::ring(const Offer& offer) {
    Wake wake;
    {
        const std::lock_guard lock{mutex_};
        ++rings_;
        const auto found = std::ranges::find_if(waiting_, [&](const Waiting& one) {
            const Seeker& seeker = one.seeker;
            return (offer.assigned_to.empty() || offer.assigned_to == seeker.bee) &&
                   colony::has_all(seeker.skills, offer.skills) &&
                   colony::has_all(offer.tags, seeker.tags);
        });
        if (found == waiting_.end()) return;
        wake = std::move(found->wake);
        waiting_.erase(found);
    }
    wake(true);
}

} // namespace hive::rest
