#include "runtime/process/supervisor.hpp"

#include "kernel/overloaded.hpp"
#include "runtime/process/living.hpp"
#include "runtime/process/trouble.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace hive::runtime::process {
namespace {

using namespace std::chrono_literals;

constexpr Duration lock_retry = 3ms;

Status watch_descriptor(const Descriptor& events, const Descriptor& fd, void* what) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = what;
    if (::epoll_ctl(events.get(), EPOLL_CTL_ADD, fd.get(), &event) == 0) return {};
    return fail(trouble("no more processes can be watched", errno));
}

} // namespace

Supervisor::Supervisor(Options options, const Clock& clock, Logger log)
    : options_{std::move(options)}, clock_{clock}, log_{std::move(log)},
      records_{options_.directory},
      starter_{{options_.program, options_.programs}, records_, clock} {}

Result<std::unique_ptr<Supervisor>>
Supervisor::start(Options options, const Clock& clock, Logger log) {
    std::unique_ptr<Supervisor> made{new Supervisor{std::move(options), clock, std::move(log)}};
    if (auto ok = made->records_.make_directories(); !ok) return fail(ok.error());
    if (const auto self = identify(::getpid()); !self) return fail(self.error());
    made->events_ = Descriptor{::epoll_create1(EPOLL_CLOEXEC)};
    if (!made->events_) return fail(trouble("processes cannot be watched", errno));
    made->bell_ = Descriptor{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    if (!made->bell_) return fail(trouble("processes cannot be watched", errno));
    if (auto ok = watch_descriptor(made->events_, made->bell_, nullptr); !ok) {
        return fail(ok.error());
    }
    if (auto ok = made->forget_the_dead(); !ok) return fail(ok.error());
    // Signals of the program are for its own threads.
    sigset_t all{};
    sigset_t before{};
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    made->thread_ = std::thread{[supervisor = made.get()] { supervisor->run(); }};
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return made;
}

Status Supervisor::forget_the_dead() {
    auto listed = records_.list();
    if (!listed) return fail(std::move(listed.error()));
    for (Record& record : listed->records) {
        const auto pidfd = open_living(record.process);
        if (pidfd && !*pidfd) orders_.emplace_back(BuryOrder{.record = std::move(record)});
    }
    return {};
}

Supervisor::~Supervisor() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock{mutex_};
        closing_ = true;
    }
    ::eventfd_write(bell_.get(), 1);
    thread_.join();
}

void Supervisor::submit(Order order) {
    {
        const std::lock_guard lock{mutex_};
        inbox_.push_back(std::move(order));
    }
    ::eventfd_write(bell_.get(), 1);
}

void Supervisor::run() {
    for (;;) {
        take_events();
        if (!take_orders()) return;
        carry_out_orders();
        force_overdue();
        rotate_logs();
    }
}

int Supervisor::wait_ms() const {
    std::optional<TimePoint> next;
    const auto consider = [&](TimePoint time) { next = next ? std::min(*next, time) : time; };
    if (!orders_.empty()) consider(clock_.now() + lock_retry);
    if (!charges_.empty()) consider(logs_due_);
    for (const auto& [key, charge] : charges_) {
        if (charge.stopping) consider(charge.stopping->deadline);
    }
    if (!next) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - clock_.now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

void Supervisor::take_events() {
    std::array<epoll_event, 64> happened{};
    const int count =
        ::epoll_wait(events_.get(), happened.data(), static_cast<int>(happened.size()), wait_ms());
    for (int i = 0; i < count; ++i) {
        auto* charge = static_cast<Charge*>(happened[static_cast<std::size_t>(i)].data.ptr);
        if (charge == nullptr) {
            eventfd_t rung = 0;
            ::eventfd_read(bell_.get(), &rung);
            continue;
        }
        const Name& name = charge->record.name;
        gone(charges_.find({name.swarm, name.instance}));
    }
}

bool Supervisor::take_orders() {
    const std::lock_guard lock{mutex_};
    if (closing_) return false;
    std::ranges::move(std::exchange(inbox_, {}), std::back_inserter(orders_));
    return true;
}

void Supervisor::carry_out_orders() {
    while (!orders_.empty()) {
        // Moved out first: carrying it out may append others.
        Order order = std::move(orders_.front());
        orders_.pop_front();
        if (!std::visit([this](auto& one) { return carry_out(one); }, order)) {
            orders_.push_front(std::move(order));
            if (!waiting_since_) waiting_since_ = clock_.now();
            if (clock_.now() - *waiting_since_ < options_.lock_patience) return;
            give_up_waiting();
        }
        waiting_since_.reset();
    }
}

void Supervisor::give_up_waiting() {
    Order order = std::move(orders_.front());
    orders_.pop_front();
    std::visit(
        overloaded{
            [](const LaunchOrder& launch) {
                launch.answer->tell(fail(
                    Errc::timeout, fmt::format(
                                       "another process has been changing swarm {} for too long; "
                                       "is one of hive's processes stopped?",
                                       launch.component.name.swarm.text())));
            },
            [this](BuryOrder& bury) {
                // It is gone; that its record stays harms nobody.
                log_.warn("a record stays", {{"path", records_.path_of(bury.record.name)}});
                for (const AnswerPtr& answer : bury.stops) answer->tell({});
                put_first(std::move(bury.next));
            },
            [](const auto&) {}, // takes no lock
        },
        order);
}

Result<Supervisor::Charge*> Supervisor::watch(Charge charge) {
    const Name& name = charge.record.name;
    const Key key{name.swarm, name.instance};
    const auto [at, added] = charges_.emplace(key, std::move(charge));
    if (charges_.size() == 1) logs_due_ = clock_.now() + log_check_every;
    if (auto ok = watch_descriptor(events_, at->second.pidfd, &at->second); !ok) {
        charges_.erase(at);
        return fail(ok.error());
    }
    return &at->second;
}

Supervisor::Charge Supervisor::let_go(Charges::iterator at) {
    Charge charge = std::move(at->second);
    charges_.erase(at);
    // Said aloud: a child that is just being forked may hold a copy of the descriptor.
    ::epoll_ctl(events_.get(), EPOLL_CTL_DEL, charge.pidfd.get(), nullptr);
    return charge;
}

} // namespace hive::runtime::process
