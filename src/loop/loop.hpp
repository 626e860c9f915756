#pragma once

#include <cstddef>
#include <memory>

namespace hive::loop {

// A few threads that many components share. Each component has a Strand on it.
class Loop {
public:
    explicit Loop(std::size_t threads);
    ~Loop(); // waits for the tasks that are running; those that wait are dropped
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    class Threads;
    Threads& threads() noexcept { return *threads_; }

private:
    std::unique_ptr<Threads> threads_;
};

} // namespace hive::loop
