#include "call/lane_core.hpp"

#include "loop/cpu_meter.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <exception>
#include <iterator>

namespace hive::call {
namespace {

constexpr Duration sweep_busy = std::chrono::milliseconds{5};
constexpr Duration sweep_resting = std::chrono::seconds{1};

void rethrow(const std::exception_ptr& bug) {
    if (bug) std::rethrow_exception(bug);
}

std::size_t workers_of(const Options& options) {
    if (options.mode != ConnectionMode::shared) return options.concurrency;
    return std::min(options.concurrency, options.connections_max);
}

} // namespace

LaneCore::LaneCore(const Options& options, Lane::Events events)
    // All sockets are used from one thread: their locks are not needed.
    : options_{options}, events_{std::move(events)}, io_{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO},
      work_{io_.get_executor()}, ready_set_{io_}, sites_{io_, options.dns_ttl}, sweep_timer_{io_},
      workers_max_{workers_of(options)}, thread_{[this, owner = loop::WorkingFor::now()] {
          const loop::WorkingFor work{owner};
          run_thread();
      }} {}

LaneCore::~LaneCore() {
    drain(Duration::zero());
    asio::post(io_, [this] { end(); });
    thread_.join();
}

void LaneCore::run_thread() noexcept {
    io_.run();
}

Status LaneCore::submit(std::vector<Call>& calls) {
    if (calls.empty()) return {};
    if (calls.size() > options_.waiting_max)
        return fail(
            Errc::invalid, fmt::format(
                               "{} calls at a time are more than the {} that may wait",
                               calls.size(), options_.waiting_max));
    const std::lock_guard lock{mutex_};
    if (draining_) return fail(Errc::closed, "the lane takes no more calls");
    if (calls.size() > room()) {
        // Said before looking again: a worker that takes a call in between tells us.
        refused_ = true;
        if (calls.size() > room())
            return fail(Errc::limit, fmt::format("{} calls wait already", waiting_.load()));
        refused_ = false;
    }
    waiting_ += calls.size();
    pending_ += calls.size();
    if (inbox_.empty()) {
        inbox_.swap(calls);
    } else {
        inbox_.insert(
            inbox_.end(), std::move_iterator{calls.begin()}, std::move_iterator{calls.end()});
        calls.clear();
    }
    if (!std::exchange(woken_, true)) asio::post(io_, [this] { collect(); });
    return {};
}

std::size_t LaneCore::room() const noexcept {
    const std::size_t waiting = waiting_.load();
    return waiting < options_.waiting_max ? options_.waiting_max - waiting : 0;
}

void LaneCore::drain(Duration within) {
    std::unique_lock lock{mutex_};
    draining_ = true;
    const auto all_back = [this] { return pending_.load() == 0; };
    if (all_back_.wait_for(lock, within, all_back)) return;
    asio::post(io_, [this] { cancel_all(); });
    all_back_.wait(lock, all_back);
}

void LaneCore::collect() {
    {
        const std::lock_guard lock{mutex_};
        woken_ = false;
    }
    if (cancelling_) {
        cancel_waiting();
        return;
    }
    start_workers(waiting_.load());
}

void LaneCore::start_workers(std::size_t calls) {
    const std::size_t resting = std::min(calls, parked_.size());
    for (std::size_t i = 0; i < resting; ++i) {
        Worker* worker = parked_.back();
        parked_.pop_back(); // first: it may be there again when it returns
        worker->wake();
    }
    for (std::size_t i = resting; i < calls && workers_.size() < workers_max_; ++i) {
        workers_.push_back(std::make_unique<Worker>(*this));
        asio::co_spawn(io_, workers_.back()->run(), rethrow);
    }
}

bool LaneCore::refill() {
    ready_.clear();
    next_ = 0;
    const std::lock_guard lock{mutex_};
    ready_.swap(inbox_);
    return !ready_.empty();
}

bool LaneCore::take(Done& into) {
    if (next_ == ready_.size() && !refill()) return false;
    if (!spare_.empty()) {
        into = std::move(spare_.back());
        spare_.pop_back();
    }
    // Here and not when the worker was woken: a sweep in between would find nothing to do and stop.
    arm_sweep();
    into.call = std::move(ready_[next_++]);
    into.sent_bytes = into.received_bytes = 0;
    into.attempts = into.redirects = into.stale_retries = 0;
    into.reused = into.tls_resumed = false;
    into.at = {};
    const std::size_t waiting = waiting_.fetch_sub(1) - 1;
    if (waiting <= options_.waiting_max / 2 && refused_.load()) schedule_hand_over();
    return true;
}

void LaneCore::finish(Done& done) {
    finished_.push_back(std::move(done));
    schedule_hand_over();
}

// Behind everything that is ready now: all calls that ended in this turn go together.
void LaneCore::schedule_hand_over() {
    if (std::exchange(handing_over_, true)) return;
    asio::post(io_, [this] { hand_over(); });
}

void LaneCore::hand_over() {
    handing_over_ = false;
    if (waiting_.load() <= options_.waiting_max / 2 && refused_.exchange(false) && events_.room)
        events_.room();
    if (finished_.empty()) return;
    handed_.swap(finished_);
    const std::size_t count = handed_.size();
    events_.done(handed_);
    keep_for_buffers(handed_);
    if (pending_.fetch_sub(count) == count) {
        const std::lock_guard lock{mutex_}; // so that whoever waits cannot miss it
        all_back_.notify_all();
    }
}

// In steady traffic all that were spare have been taken since, and nothing has to be moved.
void LaneCore::keep_for_buffers(std::vector<Done>& left) {
    if (spare_.size() < left.size()) spare_.swap(left);
    while (!left.empty() && spare_.size() < workers_max_) {
        spare_.push_back(std::move(left.back()));
        left.pop_back();
    }
    left.clear();
    while (spare_.size() > workers_max_) spare_.pop_back();
}

void LaneCore::make_room_for_connection() {
    while (options_.mode == ConnectionMode::shared && connections_ >= options_.connections_max) {
        if (!sites_.close_oldest()) return; // all are in use: as many as workers at most
    }
}

void LaneCore::arm_sweep() {
    if (sweeping_ == Sweeping::often) return;
    sweeping_ = Sweeping::often;
    wait_for_sweep(sweep_busy);
}

void LaneCore::wait_for_sweep(Duration wait) {
    sweep_timer_.expires_after(wait);
    sweep_timer_.async_wait([this](const error_code& error) {
        if (!error) sweep();
    });
}

void LaneCore::sweep() {
    const TimePoint now = clock_.now();
    bool busy = false;
    for (const auto& worker : workers_) {
        if (!worker->busy()) continue;
        busy = true;
        worker->sweep(now);
    }
    if (now >= next_tidying_) {
        next_tidying_ = now + sweep_resting;
        sites_.close_resting_since(now - options_.idle_max);
        for (const auto& worker : workers_) worker->close_resting_since(now - options_.idle_max);
    }
    if (busy) {
        sweeping_ = Sweeping::often;
        wait_for_sweep(sweep_busy);
    } else if (connections_ > 0) {
        sweeping_ = Sweeping::seldom;
        wait_for_sweep(sweep_resting);
    } else {
        sweeping_ = Sweeping::no;
    }
}

void LaneCore::cancel_all() {
    cancelling_ = true;
    cancel_waiting();
    for (const auto& worker : workers_) {
        if (worker->busy()) worker->cancel();
    }
    arm_sweep();
}

void LaneCore::cancel_waiting() {
    Done done;
    while (take(done)) {
        done.at.taken = done.at.begin = done.at.last_byte = clock_.now();
        done.failure = {ErrorClass::cancelled, "the call was cancelled before its turn came"};
        done.status = 0;
        done.headers.clear();
        done.body.clear();
        done.body_bytes = 0;
        finish(done);
    }
}

void LaneCore::end() {
    assert(pending_.load() == 0);
    ending_ = true;
    for (Worker* worker : std::exchange(parked_, {})) worker->wake();
    sites_.close_all();
    sweep_timer_.cancel();
    work_.reset();
    // Behind the workers that were just woken. A lookup that is under way is not waited for.
    asio::post(io_, [this] { io_.stop(); });
}

} // namespace hive::call
