#include "runtime/process/ending.hpp"
#include "runtime/process/living.hpp"
#include "runtime/process/log_file.hpp"
#include "runtime/process/supervisor.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <iterator>

// What the supervisor does with its orders and its charges.

namespace hive::runtime::process {
namespace {

using namespace std::chrono_literals;

constexpr Duration grace_max = 24h * 365; // so that now + grace is a time
constexpr Duration force_patience = 10s;  // a killed process that stays is stuck in the kernel

Error refused(const Name& name, const Name& living) {
    return {
        Errc::conflict,
        fmt::format(
            "{} cannot be launched as {} in swarm {}: it lives there as {}; choose another name or "
            "stop that one first",
            name.instance.text(), name.role.text(), name.swarm.text(), living.role.text())};
}

} // namespace

bool Supervisor::carry_out(LaunchOrder& order) {
    const Name& name = order.component.name;
    if (const auto at = charges_.find({name.swarm, name.instance}); at != charges_.end()) {
        Charge& charge = at->second;
        if (charge.record.name != name) {
            order.answer->tell(fail(refused(name, charge.record.name)));
        } else if (charge.stopping) {
            charge.next.push_back(std::move(order));
        } else {
            charge.ours = true;
            order.answer->tell({});
        }
        return true;
    }
    auto locked = records_.try_lock(name.swarm);
    if (locked && !*locked) return false;
    auto charge = locked ? start_or_adopt(order.component, **locked)
                         : Result<Charge>{fail(std::move(locked.error()))};
    if (locked) locked->reset(); // before anybody is told, who may go on at once
    auto watched =
        std::move(charge).and_then([this](Charge&& one) { return watch(std::move(one)); });
    if (watched) {
        order.answer->tell({});
    } else {
        order.answer->tell(fail(std::move(watched.error())));
    }
    return true;
}

Result<Supervisor::Charge>
Supervisor::start_or_adopt(const Component& component, const SwarmLock& lock) {
    const Name& name = component.name;
    auto record = records_.find(name);
    if (!record) return fail(std::move(record.error()));
    if (*record) {
        auto pidfd = open_living((*record)->process);
        if (!pidfd) return fail(std::move(pidfd.error()));
        if (*pidfd) {
            if ((*record)->name != name) return fail(refused(name, (*record)->name));
            log_.info(
                "component adopted", {{"swarm", name.swarm.text()},
                                      {"instance", name.instance.text()},
                                      {"pid", (*record)->process.pid}});
            return Charge{.record = **record, .pidfd = std::move(*pidfd), .ours = true};
        }
    }
    auto started = starter_.start(component, lock);
    if (!started) return fail(std::move(started.error()));
    log_.debug(
        "component launched", {{"swarm", name.swarm.text()},
                               {"instance", name.instance.text()},
                               {"pid", started->record.process.pid}});
    return Charge{.record = started->record, .pidfd = std::move(started->pidfd), .ours = true};
}

Result<Supervisor::Charge*> Supervisor::find_living(const Name& name) {
    if (const auto at = charges_.find({name.swarm, name.instance}); at != charges_.end()) {
        return at->second.record.name == name ? &at->second : nullptr;
    }
    auto record = records_.find(name);
    if (!record) return fail(std::move(record.error()));
    if (!*record || (*record)->name != name) return nullptr;
    auto pidfd = open_living((*record)->process);
    if (!pidfd) return fail(std::move(pidfd.error()));
    if (!*pidfd) {
        orders_.emplace_back(BuryOrder{.record = std::move(**record)});
        return nullptr;
    }
    return watch({.record = std::move(**record), .pidfd = std::move(*pidfd)});
}

bool Supervisor::carry_out(StopOrder& order) {
    const auto charge = find_living(order.name);
    if (!charge) {
        order.answer->tell(fail(charge.error()));
    } else if (*charge == nullptr) {
        order.answer->tell({});
    } else {
        begin_stop(**charge, order.grace, std::move(order.answer));
    }
    return true;
}

bool Supervisor::carry_out(StopAllOrder& order) {
    auto listed = records_.list(order.swarm);
    if (!listed) {
        order.answer->tell(fail(std::move(listed.error())));
        return true;
    }
    std::erase_if(listed->records, [&](const Record& record) {
        return record.name.is_controller() != order.controllers;
    });
    // A file that is no record may stand for a process: the others are stopped, and it is told at
    // the end.
    const bool whole = order.controllers || listed->broken.empty();
    const auto done = gather(listed->records.size() + 1, std::move(order.answer));
    for (const Record& record : listed->records) {
        StopOrder one{record.name, order.grace, make_answer(done)};
        carry_out(one);
    }
    done(whole ? Status{} : fail(listed->broken.front()));
    return true;
}

bool Supervisor::carry_out(BuryOrder& order) {
    auto locked = records_.try_lock(order.record.name.swarm);
    if (locked && !*locked) return false;
    const Status removed = locked ? records_.remove(order.record, **locked) : fail(locked.error());
    if (locked) locked->reset(); // its directory goes now, if it was the last
    if (!removed) log_.warn("a record stays", {{"reason", removed.error().detail}});
    for (const AnswerPtr& answer : order.stops) answer->tell({});
    put_first(std::move(order.next));
    return true;
}

// They were asked for before anything that waits in the queue.
void Supervisor::put_first(std::vector<LaunchOrder> launches) {
    orders_.insert(
        orders_.begin(), std::make_move_iterator(launches.begin()),
        std::make_move_iterator(launches.end()));
}

void Supervisor::begin_stop(Charge& charge, Duration grace, AnswerPtr answer) {
    const TimePoint deadline = clock_.now() + std::clamp(grace, Duration::zero(), grace_max);
    for (const LaunchOrder& launch : std::exchange(charge.next, {})) {
        launch.answer->tell(fail(overtaken(charge.record.name)));
    }
    if (charge.stopping) {
        charge.stopping->answers.push_back(std::move(answer));
        if (!charge.stopping->forced) {
            charge.stopping->deadline = std::min(charge.stopping->deadline, deadline);
        }
        return;
    }
    if (auto sent = send_signal(charge.pidfd, SIGTERM); !sent) {
        return answer->tell(fail(
            sent.error().code, fmt::format(
                                   "{} (process {}): {}", charge.record.name.instance.text(),
                                   charge.record.process.pid, sent.error().detail)));
    }
    charge.stopping = Stopping{.deadline = deadline};
    charge.stopping->answers.push_back(std::move(answer));
}

void Supervisor::force_overdue() {
    for (auto& [key, charge] : charges_) {
        if (!charge.stopping || clock_.now() < charge.stopping->deadline) continue;
        Stopping& stopping = *charge.stopping;
        const std::string& instance = charge.record.name.instance.text();
        const int pid = charge.record.process.pid;
        if (!std::exchange(stopping.forced, true)) {
            log_.warn("component is ended by force", {{"instance", instance}, {"pid", pid}});
            if (auto sent = send_signal(charge.pidfd, SIGKILL); !sent) {
                log_.error("component stays", {{"reason", sent.error().detail}, {"pid", pid}});
            }
            stopping.deadline = clock_.now() + force_patience;
            continue;
        }
        stopping.deadline = clock_.now() + grace_max;
        for (const AnswerPtr& answer : std::exchange(stopping.answers, {})) {
            answer->tell(fail(
                Errc::timeout,
                fmt::format("{} (process {}) was killed and does not end", instance, pid)));
        }
    }
}

void Supervisor::gone(Charges::iterator at) {
    Charge charge = let_go(at);
    const Ending ending = take_ending(charge.pidfd);
    const Name& name = charge.record.name;
    log_.debug(
        "component ended", {{"swarm", name.swarm.text()},
                            {"instance", name.instance.text()},
                            {"cause", ending.cause}});
    BuryOrder bury{.record = charge.record, .next = std::move(charge.next)};
    if (charge.stopping) bury.stops = std::move(charge.stopping->answers);
    orders_.emplace_back(std::move(bury));
    if (!charge.ours || charge.stopping) return;
    watchers_.tell({name, ending.failed, ending.cause, last_lines_of(charge)});
}

std::vector<std::string> Supervisor::last_lines_of(const Charge& charge) const {
    const std::string log = records_.log_of(charge.record.name);
    auto lines = last_lines(log, charge.record.log_from, options_.last_lines);
    if (!charge.rotated || lines.size() >= options_.last_lines) return lines;
    auto earlier = last_lines(log + ".1", 0, options_.last_lines - lines.size());
    earlier.insert(earlier.end(), lines.begin(), lines.end());
    return earlier;
}

void Supervisor::rotate_logs() {
    if (charges_.empty() || clock_.now() < logs_due_) return;
    logs_due_ = clock_.now() + log_check_every;
    for (auto& [key, charge] : charges_) {
        const std::string path = records_.log_of(charge.record.name);
        if (size_of_log(path) <= options_.log_bytes_max) continue;
        const auto locked = records_.try_lock(charge.record.name.swarm);
        if (!locked || !*locked) continue; // another one may be rotating it; next time
        charge.rotated = true;
        charge.record.log_from = 0;
        if (size_of_log(path) <= options_.log_bytes_max) continue; // that one did
        if (auto ok = rotate_log(path, options_.logs_kept); !ok) {
            log_.warn("a log was not kept", {{"reason", ok.error().detail}});
        }
    }
}

} // namespace hive::runtime::process
