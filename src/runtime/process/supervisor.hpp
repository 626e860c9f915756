#pragma once

#include "kernel/log.hpp"
#include "runtime/answer.hpp"
#include "runtime/process/process_runtime.hpp"
#include "runtime/process/records.hpp"
#include "runtime/process/starter.hpp"
#include "runtime/watchers.hpp"

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace hive::runtime::process {

struct LaunchOrder {
    Component component;
    AnswerPtr answer;
};
struct StopOrder {
    Name name;
    Duration grace;
    AnswerPtr answer;
};
struct StopAllOrder {
    SwarmId swarm;
    bool controllers; // these or the bees
    Duration grace;
    AnswerPtr answer;
};
// What is left to do once a process has gone.
struct BuryOrder {
    Record record;
    std::vector<AnswerPtr> stops{};
    std::vector<LaunchOrder> next{};
};
using Order = std::variant<LaunchOrder, StopOrder, StopAllOrder, BuryOrder>;

// The one thread that starts, watches and ends processes. Orders are carried out in turn; one that
// finds its swarm locked by another launcher waits, and those behind it with it.
class Supervisor {
public:
    static Result<std::unique_ptr<Supervisor>>
    start(Options options, const Clock& clock, Logger log);
    ~Supervisor(); // leaves the processes running
    Supervisor(const Supervisor&) = delete;
    Supervisor& operator=(const Supervisor&) = delete;

    void submit(Order order);
    const Records& records() const noexcept { return records_; }
    Watchers& watchers() noexcept { return watchers_; }
    const Logger& log() const noexcept { return log_; }

private:
    struct Stopping {
        TimePoint deadline;
        bool forced = false;
        std::vector<AnswerPtr> answers{};
    };
    // A process that is watched.
    struct Charge {
        Record record;
        Descriptor pidfd{};
        bool ours = false;    // launched or adopted here: its exit is told
        bool rotated = false; // a part of its output is in the log before this one
        std::optional<Stopping> stopping{};
        std::vector<LaunchOrder> next{}; // what follows once it is gone
    };
    using Key = std::pair<SwarmId, InstanceId>;
    using Charges = std::map<Key, Charge>;

    static constexpr Duration log_check_every = std::chrono::seconds{1};

    Supervisor(Options options, const Clock& clock, Logger log);
    Status forget_the_dead(); // records that their launcher could not remove any more
    void run();
    int wait_ms() const;
    void take_events();
    bool take_orders(); // false: the end has come
    void carry_out_orders();
    void give_up_waiting();
    void put_first(std::vector<LaunchOrder> launches);

    // False: its swarm is locked, try again.
    bool carry_out(LaunchOrder& order);
    bool carry_out(StopOrder& order);
    bool carry_out(StopAllOrder& order);
    bool carry_out(BuryOrder& order);

    Result<Charge> start_or_adopt(const Component& component, const SwarmLock& lock);
    Result<Charge*> watch(Charge charge);
    Charge let_go(Charges::iterator at);
    Result<Charge*> find_living(const Name& name); // null: there is none
    void begin_stop(Charge& charge, Duration grace, AnswerPtr answer);
    void force_overdue();
    void gone(Charges::iterator at);
    std::vector<std::string> last_lines_of(const Charge& charge) const;
    void rotate_logs();

    Options options_;
    const Clock& clock_;
    Logger log_;
    Records records_;
    Starter starter_;
    Watchers watchers_{};
    Descriptor events_{};
    Descriptor bell_{}; // rings when there are orders

    std::mutex mutex_{};
    std::vector<Order> inbox_{}; // under the mutex, as is closing_
    bool closing_ = false;

    Charges charges_{}; // this and what follows belong to the thread
    std::deque<Order> orders_{};
    std::optional<TimePoint> waiting_since_{}; // the first order, for a lock
    TimePoint logs_due_{};
    std::thread thread_{};
};

} // namespace hive::runtime::process
