#pragma once

#include <functional>
#include <mutex>
#include <utility>

namespace hive::bus::memory {

// The callback of a sender or receiver that may go away while another thread is about to call it.
class Bell {
public:
    explicit Bell(std::function<void()> callback) : callback_{std::move(callback)} {}

    void ring() {
        const std::lock_guard lock{mutex_};
        if (!silent_) callback_();
    }

    // Once this has returned the callback is not running, unless it is what called this.
    void silence() {
        const std::lock_guard lock{mutex_};
        silent_ = true;
    }

private:
    std::recursive_mutex mutex_; // a callback may drop its own receiver
    std::function<void()> callback_;
    bool silent_ = false;
};

} // namespace hive::bus::memory
