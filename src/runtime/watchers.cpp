#include "runtime/watchers.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace hive::runtime {

struct Watchers::Watcher {
    std::recursive_mutex busy{}; // held during a call; a listener may end its own subscription
    Runtime::ExitListener listener;
    bool silent = false;
};

struct Watchers::Board {
    std::mutex mutex{};
    std::vector<std::shared_ptr<Watcher>> watchers{};
};

Watchers::Watchers() : board_{std::make_shared<Board>()} {}

Subscription Watchers::add(Runtime::ExitListener listener) {
    auto watcher = std::make_shared<Watcher>();
    watcher->listener = std::move(listener);
    const std::lock_guard lock{board_->mutex};
    board_->watchers.push_back(watcher);
    return Subscription{[watcher, board = board_] {
        {
            const std::lock_guard forget{board->mutex};
            std::erase(board->watchers, watcher);
        }
        const std::lock_guard wait{watcher->busy};
        watcher->silent = true;
    }};
}

void Watchers::tell(const Exit& exit) const {
    std::vector<std::shared_ptr<Watcher>> all;
    {
        const std::lock_guard lock{board_->mutex};
        all = board_->watchers;
    }
    for (const auto& watcher : all) {
        const std::lock_guard lock{watcher->busy};
        if (!watcher->silent && watcher->listener) watcher->listener(exit);
    }
}

} // namespace hive::runtime
