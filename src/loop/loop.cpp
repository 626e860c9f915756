#include "loop/loop.hpp"

#include "loop/threads.hpp"

namespace hive::loop {

Loop::Threads::Threads(std::size_t count)
    : context_{static_cast<int>(count)}, work_{context_.get_executor()} {
    for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { context_.run(); });
}

Loop::Threads::~Threads() {
    context_.stop();
    for (auto& thread : threads_) thread.join();
}

Loop::Loop(std::size_t threads) : threads_{std::make_unique<Threads>(threads)} {}

Loop::~Loop() = default;

} // namespace hive::loop
