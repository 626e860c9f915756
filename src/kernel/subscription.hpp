#pragma once

#include <functional>
#include <utility>

namespace hive {

// Scope exit is the only way to stop being called, so no early return forgets it. Once the
// destructor has returned the callback is not running and is never called again.
class [[nodiscard]] Subscription {
public:
    Subscription() = default;
    explicit Subscription(std::function<void()> cancel) : cancel_{std::move(cancel)} {}
    Subscription(Subscription&& other) noexcept : cancel_{std::exchange(other.cancel_, nullptr)} {}
    Subscription& operator=(Subscription&& other) noexcept {
        if (this != &other) {
            reset();
            cancel_ = std::exchange(other.cancel_, nullptr);
        }
        return *this;
    }
    ~Subscription() { reset(); }

    void reset() {
        if (auto cancel = std::exchange(cancel_, nullptr)) cancel();
    }

private:
    std::function<void()> cancel_;
};

} // namespace hive
