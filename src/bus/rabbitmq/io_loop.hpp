#pragma once

#include "bus/rabbitmq/interrupter.hpp"
#include "bus/rabbitmq/options.hpp"
#include "bus/rabbitmq/session.hpp"
#include "bus/rabbitmq/steady.hpp"
#include "bus/rabbitmq/wakeup.hpp"
#include "kernel/clock.hpp"
#include "kernel/random.hpp"
#include "kernel/result.hpp"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace hive::bus::rabbitmq {

// A thread that owns one AMQP connection and replaces it when it is lost. What travels over it is
// decided by the class above.
//
// Shared, because the thread may outlive whoever closes the bus: a DNS lookup cannot be
// interrupted, and close() keeps its deadline.
class IoLoop : public std::enable_shared_from_this<IoLoop> {
public:
    IoLoop(std::shared_ptr<const Options> options, std::string purpose);
    virtual ~IoLoop() = default;
    IoLoop(const IoLoop&) = delete;
    IoLoop& operator=(const IoLoop&) = delete;

    Result<std::unique_ptr<Session>> open(); // on the caller's thread
    void start(std::unique_ptr<Session> session);
    void wake() { wakeup_.signal(); }

    // Asks it to finish; it does what is left to do until then.
    void request_stop();
    // Waits for the end of the thread, and at the deadline cuts its socket. Afterwards the thread
    // is gone or, in a lookup, left to itself.
    void join(TimePoint deadline);
    bool on_own_thread() const { return std::this_thread::get_id() == thread_id_.load(); }

protected:
    // All on the loop's thread. An error ends the session.
    virtual Status on_up(Session& session) = 0;
    virtual void on_away(const Error& why) = 0;
    // Does what there is to do and returns for how long there is nothing more, unless frames or a
    // wake() come in.
    virtual Result<Duration> work(Session& session) = 0;
    // Asked once stopping: nothing left that needs the broker?
    virtual bool is_done(bool up) = 0;
    virtual void on_goodbye(Session& session) = 0;
    virtual void on_end() {} // the last call

    bool stopping() const noexcept { return stopping_; }
    const Options& options() const noexcept { return *options_; }
    void notice(const std::string& text) const;

private:
    void run(std::unique_ptr<Session> session);
    Status serve(Session& session);
    void wait(int socket, Duration most);
    bool must_end(bool up) { return interrupter_.fired() || (stopping_ && is_done(up)); }

    std::shared_ptr<const Options> options_;
    Session::Identity identity_;
    Interrupter interrupter_;
    Wakeup wakeup_;
    Random random_;
    std::atomic<bool> stopping_{false};
    std::atomic<std::thread::id> thread_id_{};
    std::mutex mutex_;
    std::condition_variable ended_changed_;
    bool ended_ = false;
    std::thread thread_;
};

} // namespace hive::bus::rabbitmq
