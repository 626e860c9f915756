#include "loop/strand.hpp"

#include "loop/cpu_meter.hpp"
#include "loop/threads.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace hive::loop {

namespace asio = boost::asio;

// Shared with the tasks on their way and with posters, which may come after the strand has gone,
// and after its loop has: once closed nothing in here touches the loop any more.
class Strand::State : public std::enable_shared_from_this<Strand::State> {
public:
    explicit State(asio::io_context& context) : strand_{asio::make_strand(context)} {}

    void post(Task task) {
        const std::lock_guard lock{gate_};
        if (!strand_) return;
        asio::post(
            *strand_, [self = shared_from_this(), task = std::move(task)] { self->run(task); });
    }

    void after(Duration wait, Task task) {
        const std::lock_guard lock{gate_};
        if (!strand_) return;
        auto timer = std::make_shared<asio::steady_timer>(*strand_, wait);
        // Timers that are due far in the future must not keep a closed strand's tasks alive.
        std::erase_if(timers_, [](const auto& known) { return known.expired(); });
        timers_.push_back(timer);
        asio::steady_timer& started = *timer;
        // Kept by its own handler, which also runs when the loop ends.
        started.async_wait([self = shared_from_this(), timer = std::move(timer),
                            task = std::move(task)](const auto& error) {
            if (!error) self->run(task);
        });
    }

    void every(Duration period, Task task) {
        auto again = std::make_shared<Task>();
        *again = [self = std::weak_ptr{shared_from_this()}, period, task = std::move(task),
                  next = std::weak_ptr{again}] {
            task();
            const auto state = self.lock();
            const auto self_task = next.lock();
            if (state && self_task) state->after(period, [self_task] { (*self_task)(); });
        };
        after(period, [again] { (*again)(); });
    }

    void close() {
        const std::lock_guard idle{busy_};
        const std::lock_guard lock{gate_};
        closed_ = true;
        strand_.reset();
        for (const auto& timer : std::exchange(timers_, {})) {
            if (const auto live = timer.lock()) live->cancel();
        }
    }

private:
    void run(const Task& task) {
        const std::lock_guard lock{busy_};
        if (closed_) return;
        const WorkingFor work{meter_};
        task();
    }

    const CpuMeterPtr meter_ = WorkingFor::now(); // of whoever made it

    std::recursive_mutex busy_; // held while a task runs; a task may close its own strand
    bool closed_ = false;       // guarded by busy_

    std::mutex gate_; // held while something is put on the loop
    std::optional<asio::strand<asio::io_context::executor_type>> strand_; // none once closed
    std::vector<std::weak_ptr<asio::steady_timer>> timers_;
};

Strand::Strand(Loop& loop) : state_{std::make_shared<State>(loop.threads().context())} {}

void Strand::post(Task task) {
    state_->post(std::move(task));
}

void Strand::after(Duration wait, Task task) {
    state_->after(wait, std::move(task));
}

void Strand::every(Duration period, Task task) {
    state_->every(period, std::move(task));
}

void Strand::close() {
    state_->close();
}

std::function<void(Task)> Strand::poster() const {
    return [state = std::weak_ptr{state_}](Task task) {
        if (const auto live = state.lock()) live->post(std::move(task));
    };
}

} // namespace hive::loop
