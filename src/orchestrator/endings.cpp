#include "orchestrator/endings.hpp"

namespace hive::orchestrator {
namespace {

constexpr std::size_t lately_max = 4096;

} // namespace

void Endings::ended(const Ended& ended) {
    const auto& id = ended.asked.correlation_id;
    const std::lock_guard lock{book_->mutex};
    if (book_->lately.emplace(id, ended).second) book_->order.push_back(id);
    if (book_->order.size() > lately_max) {
        book_->lately.erase(book_->order.front());
        book_->order.pop_front();
    }
    while (true) {
        const auto waiting = book_->waiting.find(id);
        if (waiting == book_->waiting.end()) return;
        const Tell tell = std::move(waiting->second.second);
        book_->waiting.erase(waiting);
        tell(ended);
    }
}

Subscription Endings::when(const std::string& correlation_id, Tell tell) {
    const std::lock_guard lock{book_->mutex};
    const auto known = book_->lately.find(correlation_id);
    if (known != book_->lately.end()) {
        tell(known->second);
        return {};
    }
    const std::uint64_t number = book_->next++;
    book_->waiting.emplace(correlation_id, std::pair{number, std::move(tell)});
    return Subscription{[book = std::weak_ptr{book_}, correlation_id, number] {
        const auto live = book.lock();
        if (!live) return;
        const std::lock_guard held{live->mutex};
        const auto [from, to] = live->waiting.equal_range(correlation_id);
        for (auto at = from; at != to; ++at) {
            if (at->second.first != number) continue;
            live->waiting.erase(at);
            return;
        }
    }};
}

} // namespace hive::orchestrator
