#include "api/http/admission.hpp"

#include <fmt/format.h>

#include <cassert>
#include <utility>

namespace hive::http {

Admission::Ticket::Ticket(Ticket&& other) noexcept
    : house_{std::exchange(other.house_, nullptr)}, peer_{std::move(other.peer_)} {}

Admission::Ticket& Admission::Ticket::operator=(Ticket&& other) noexcept {
    if (this != &other) {
        release();
        house_ = std::exchange(other.house_, nullptr);
        peer_ = std::move(other.peer_);
    }
    return *this;
}

void Admission::Ticket::release() noexcept {
    if (auto* house = std::exchange(house_, nullptr)) house->leave(peer_);
}

Result<Admission::Ticket> Admission::admit(std::string peer) {
    const std::lock_guard lock{mutex_};
    if (total_ >= limits_.connections) {
        return fail(
            Errc::unavailable, fmt::format("{} connections are open already", limits_.connections));
    }
    if (!peer.empty()) {
        std::size_t& count = by_peer_[peer];
        if (count >= limits_.connections_per_peer) {
            return fail(
                Errc::limit,
                fmt::format("you have {} connections open already", limits_.connections_per_peer));
        }
        ++count;
    }
    ++total_;
    return Ticket{this, std::move(peer)};
}

void Admission::leave(const std::string& peer) noexcept {
    const std::lock_guard lock{mutex_};
    assert(total_ > 0);
    if (--total_ == 0) emptied_.notify_all();
    const auto at = by_peer_.find(peer);
    if (at != by_peer_.end() && --at->second == 0) by_peer_.erase(at);
}

std::size_t Admission::count() const {
    const std::lock_guard lock{mutex_};
    return total_;
}

bool Admission::wait_until_empty(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock{mutex_};
    return emptied_.wait_until(lock, deadline, [&] { return total_ == 0; });
}

} // namespace hive::http
