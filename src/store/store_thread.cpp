#include "store/store_thread.hpp"

namespace hive::store {
namespace {

thread_local bool on_store_thread = false;

} // namespace

StoreThread::StoreThread(std::function<void()> body)
    : thread_{[this, body = std::move(body)] {
          on_store_thread = true;
          body();
          const std::lock_guard lock{mutex_};
          ended_ = true;
          changed_.notify_all();
      }} {}

StoreThread::~StoreThread() {
    thread_.join();
}

bool StoreThread::wait_until(TimePoint deadline) {
    std::unique_lock lock{mutex_};
    const Duration left = deadline - SystemClock{}.now();
    return changed_.wait_for(lock, left, [&] { return ended_; });
}

bool StoreThread::is_current() {
    return on_store_thread;
}

} // namespace hive::store
