#pragma once

#include "call/lane.hpp"
#include "call/ready_set.hpp"
#include "call/site.hpp"
#include "call/worker.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace hive::call {

// What a lane is made of; for itself and its workers.
class LaneCore {
public:
    LaneCore(const Options& options, Lane::Events events);
    ~LaneCore();
    LaneCore(const LaneCore&) = delete;
    LaneCore& operator=(const LaneCore&) = delete;

    // From any thread.
    Status submit(std::vector<Call>& calls);
    std::size_t room() const noexcept;
    std::size_t pending() const noexcept { return pending_.load(); }
    void drain(Duration within);

    // For workers, on the lane's thread.
    asio::io_context& io() noexcept { return io_; }
    const Options& options() const noexcept { return options_; }
    ReadySet& ready_set() noexcept { return ready_set_; }
    Sites& sites() noexcept { return sites_; }
    TimePoint now() const noexcept { return clock_.now(); }
    bool ending() const noexcept { return ending_; }
    bool take(Done& into); // the next call, and buffers to use
    void park(Worker& worker) { parked_.push_back(&worker); }
    void finish(Done& done);
    void make_room_for_connection();                             // in the bounds that were set
    std::size_t& connections() noexcept { return connections_; } // that are open

private:
    enum class Sweeping : std::uint8_t { no, seldom, often };

    void run_thread() noexcept;
    void collect();
    bool refill();
    void start_workers(std::size_t calls);
    void hand_over();
    void keep_for_buffers(std::vector<Done>& left);
    void schedule_hand_over();
    void arm_sweep();
    void wait_for_sweep(Duration wait);
    void sweep();
    void cancel_all();
    void cancel_waiting();
    void end();

    Options options_;
    Lane::Events events_;
    SystemClock clock_;
    std::size_t connections_ = 0;
    asio::io_context io_;
    asio::executor_work_guard<asio::io_context::executor_type> work_;
    ReadySet ready_set_;
    Sites sites_;
    Timer sweep_timer_;

    // Shared with submitters.
    mutable std::mutex mutex_;
    std::condition_variable all_back_;
    std::vector<Call> inbox_;
    bool woken_ = false;    // the lane will look into the inbox
    bool draining_ = false; // no more calls are taken
    std::atomic<std::size_t> waiting_{0};
    std::atomic<std::size_t> pending_{0};
    std::atomic<bool> refused_{false}; // a submitter waits for room

    // The lane's thread only.
    std::vector<Call> ready_; // from next_ on
    std::size_t next_ = 0;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<Worker*> parked_;
    std::vector<Done> finished_;
    std::vector<Done> handed_;
    std::vector<Done> spare_; // for their buffers
    std::size_t workers_max_ = 0;
    bool handing_over_ = false;
    Sweeping sweeping_ = Sweeping::no;
    TimePoint next_tidying_{};
    bool cancelling_ = false;
    bool ending_ = false;

    std::thread thread_;
};

} // namespace hive::call
