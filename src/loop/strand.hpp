#pragma once

#include "kernel/clock.hpp"
#include "loop/loop.hpp"

#include <functional>
#include <memory>

namespace hive::loop {

using Task = std::function<void()>;

// One component's place on a loop: its tasks run one after another, never two at a time, so what
// they share needs no lock. Used from any thread; the loop outlives it.
class Strand {
public:
    explicit Strand(Loop& loop);
    ~Strand() { close(); }
    Strand(const Strand&) = delete;
    Strand& operator=(const Strand&) = delete;

    void post(Task task);
    void after(Duration wait, Task task);
    // Again and again, the first time after `period`; a late turn does not pile up others.
    void every(Duration period, Task task);

    // Once this has returned no task is running, unless it is what called this, and none will run.
    void close();

    // A way to post that may outlive the strand, and then does nothing.
    std::function<void(Task)> poster() const;

private:
    class State;
    std::shared_ptr<State> state_;
};

} // namespace hive::loop
