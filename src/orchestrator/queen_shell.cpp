#include "orchestrator/queen_shell.hpp"

#include "controller/template.hpp"
#include "controller/topology.hpp"
#include "kernel/overloaded.hpp"
#include "orchestrator/decide.hpp"
#include "wire/bindings.hpp"
#include "wire/names.hpp"
#include "worker/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace hive::orchestrator {
namespace {

constexpr Duration keep_again_after = std::chrono::seconds{1};
constexpr Duration flush_within = std::chrono::seconds{1};

template <class T>
concept AboutOneSwarm = requires(const T& event) {
    { event.swarm } -> std::convertible_to<const SwarmId&>;
};

// The swarm whose report may have changed.
std::optional<SwarmId> swarm_of(const Event& event) {
    return std::visit(
        overloaded{
            [](const AboutOneSwarm auto& about) -> std::optional<SwarmId> { return about.swarm; },
            [](const Heard& heard) { return heard.envelope.scope.swarm.id(); },
            [](const auto&) -> std::optional<SwarmId> { return std::nullopt; },
        },
        event);
}

bool is_ask(const Event& event) {
    return std::holds_alternative<CreateAsked>(event) || std::holds_alternative<WishAsked>(event) ||
           std::holds_alternative<ConfigAsked>(event);
}

// May the same batch be kept later?
bool passes_with_time(Errc code) {
    return code == Errc::unavailable || code == Errc::timeout || code == Errc::limit;
}

State state_of(const QueenOptions& options, std::vector<Swarm> swarms) {
    State state{.instance = options.instance, .life = options.life};
    for (auto& swarm : swarms) {
        SwarmId id = swarm.id;
        state.swarms.emplace(std::move(id), std::move(swarm));
    }
    return state;
}

} // namespace

Queen::Shell::Shell(QueenOptions options, QueenParts parts, Kept kept)
    : options_{std::move(options)}, parts_{std::move(parts)},
      state_{state_of(options_, std::move(kept.swarms))}, open_{std::move(kept.open)},
      strand_{parts_.loop},
      mailbox_{
          parts_.bus,
          strand_,
          {.queue = wire::orchestrator_queue(options_.instance),
           .keys = wire::orchestrator_bindings(),
           .prefetch = 256},
          {.heard = [this](const wire::Envelope& envelope) { take({Heard{envelope}}); },
           .rejected =
               [this](std::string_view key, std::string_view reason) {
                   note(
                       {.at = parts_.clock.wall(),
                        .severity = Severity::warn,
                        .kind = "rejected",
                        .type = "message",
                        .origin = state_.instance.text(),
                        .data = {{"key", key}, {"reason", reason}}});
               }}} {
    for (const auto& [id, swarm] : state_.swarms) reports_.update(swarm);
}

Queen::Shell::~Shell() {
    exits_.reset();
    strand_.close();
}

void Queen::Shell::begin() {
    exits_ = parts_.runtime.watch([this, post = strand_.poster()](const runtime::Exit& exit) {
        if (!wire::is_controller(exit.name.role)) return;
        post([this, exit] { take({MarshalExited{exit.name.swarm, exit.cause, exit.last_lines}}); });
    });
    strand_.post([this] {
        mailbox_.open([this] {
            take({Restarted{std::exchange(open_, {})}});
            strand_.every(options_.tick, [this] { take({Tick{}}); });
        });
    });
}

void Queen::Shell::ask(Queen::Ask ask, RiderPtr rider, std::function<void(Status)> answered) {
    auto event = std::visit([](auto& one) { return Event{std::move(one)}; }, ask);
    strand_.post([this, input = Input{std::move(event), std::move(rider), std::move(answered)}] {
        take(input);
    });
}

void Queen::Shell::request_status(const wire::Scope& target) {
    strand_.post([this, target] {
        const auto id = fmt::format("{}-asked-{}", options_.life, ++requests_);
        say(wire::Envelope::signal(
            {{wire::orchestrator_role(), options_.instance}, parts_.clock.wall()}, target, {id, id},
            wire::Signal::status_request()));
    });
}

void Queen::Shell::later(Event event) {
    strand_.post([this, event = std::move(event)] { take({event}); });
}

void Queen::Shell::take(Input input) {
    inbox_.push_back(std::move(input));
    if (!keeping_) turn();
}

void Queen::Shell::turn() {
    auto turn = std::make_shared<Turn>();
    const bool asks = is_ask(inbox_.front().event);
    while (!inbox_.empty() && is_ask(inbox_.front().event) == asks) {
        Input input = std::move(inbox_.front());
        inbox_.pop_front();
        if (asks) remember(*turn, input.event);
        decide_one(*turn, std::move(input));
        if (!asks || singly_ == 0) continue;
        --singly_;
        break;
    }
    for (const auto& id : turn->saves) {
        turn->touched.insert(id);
        const auto found = state_.swarms.find(id);
        if (found != state_.swarms.end()) turn->batch.swarms.push_back(found->second);
    }
    const Batch& batch = turn->batch;
    const bool must_wait = !batch.swarms.empty() || !batch.asks.empty() || !batch.endings.empty() ||
                           !batch.riders.empty();
    if (must_wait) return keep(turn);
    show(*turn);
    if (!turn->batch.empty()) {
        parts_.keeper.keep(std::move(turn->batch), [log = parts_.log](const Status& status) {
            if (!status) log.error("journal entries are lost", {{"reason", status.error().detail}});
        });
    }
    carry_out(*turn);
    if (!inbox_.empty() && !keeping_) this->turn();
}

void Queen::Shell::remember(Turn& turn, const Event& ask) {
    if (!turn.before) turn.before = Before{.configs = state_.configs};
    const auto swarm = swarm_of(ask);
    if (!swarm || turn.before->swarms.contains(*swarm)) return;
    const auto known = state_.swarms.find(*swarm);
    turn.before->swarms.emplace(
        *swarm, known == state_.swarms.end() ? std::nullopt : std::optional<Swarm>{known->second});
}

// As if nobody had asked; ids that were given are not given again.
void Queen::Shell::take_back(Turn& turn) {
    for (auto& [id, swarm] : turn.before->swarms) {
        if (swarm) {
            state_.swarms.insert_or_assign(id, *std::move(swarm));
        } else {
            state_.swarms.erase(id);
        }
    }
    state_.configs = std::move(turn.before->configs);
}

void Queen::Shell::decide_one(Turn& turn, Input input) {
    if (auto swarm = swarm_of(input.event)) turn.touched.insert(*std::move(swarm));
    if (const auto* heard = std::get_if<Heard>(&input.event)) reports_.hear(heard->envelope);
    auto decision = decide(
        std::move(state_), input.event, {parts_.clock.now(), parts_.clock.wall()},
        options_.settings);
    state_ = std::move(decision.next);
    Status refused{};
    for (auto& command : decision.commands) {
        if (const auto* refusal = std::get_if<Refuse>(&command)) {
            refused = fail(refusal->code, refusal->reason);
        } else {
            sort(turn, command);
        }
    }
    if (!is_ask(input.event)) return;
    if (!refused) {
        if (input.answered) input.answered(refused);
        return;
    }
    if (input.rider) turn.batch.riders.push_back(input.rider);
    turn.asks.push_back(std::move(input));
}

void Queen::Shell::sort(Turn& turn, Command& command) {
    if (const auto* save = std::get_if<Save>(&command)) {
        turn.saves.insert(save->swarm);
    } else if (const auto* forget = std::get_if<Forget>(&command)) {
        turn.touched.insert(forget->swarm);
        turn.batch.forgotten.push_back(forget->swarm);
    } else if (auto* record = std::get_if<Record>(&command)) {
        turn.batch.entries.push_back(std::move(record->entry));
    } else if (auto* ask = std::get_if<KeepAsk>(&command)) {
        turn.batch.asks.push_back(std::move(ask->record));
    } else {
        if (const auto* ended = std::get_if<Ended>(&command)) {
            turn.batch.endings.push_back(*ended);
        }
        turn.commands.push_back(std::move(command));
    }
}

void Queen::Shell::note(JournalEntry entry) {
    if (parts_.on_entry) parts_.on_entry(entry);
    parts_.keeper.keep({.entries = {std::move(entry)}}, [log = parts_.log](const Status& status) {
        if (!status) log.error("a journal entry is lost", {{"reason", status.error().detail}});
    });
}

void Queen::Shell::keep(const std::shared_ptr<Turn>& turn) {
    keeping_ = true;
    const Batch& batch = turn->batch;
    parts_.keeper.keep(batch, [this, post = strand_.poster(), turn](const Status& status) {
        post([this, turn, status] { kept(turn, status); });
    });
}

// Nothing goes on before it is kept: what is carried out must be known after a crash.
void Queen::Shell::kept(const std::shared_ptr<Turn>& turn, const Status& status) {
    if (!status && status.error().code == Errc::closed) {
        for (const Input& ask : turn->asks) {
            if (ask.answered) ask.answered(status);
        }
        return; // she goes too
    }
    if (!status && passes_with_time(status.error().code)) {
        parts_.log.error("the store does not keep", {{"reason", status.error().detail}});
        strand_.after(keep_again_after, [this, turn] { keep(turn); });
        return;
    }
    if (!status) return refused(turn, status.error());
    refusal_told_ = false;
    keeping_ = false;
    show(*turn);
    carry_out(*turn);
    if (!inbox_.empty() && !keeping_) this->turn();
}

// It would be refused again. An ask that is refused has never been; what has happened stays so.
void Queen::Shell::refused(const std::shared_ptr<Turn>& turn, const Error& why) {
    if (turn->asks.empty() && !turn->batch.entries.empty()) {
        // One line that cannot be written must not hold back the rest.
        for (auto& entry : std::exchange(turn->batch.entries, {})) note(std::move(entry));
        return keep(turn);
    }
    keeping_ = false;
    if (turn->asks.empty()) {
        not_kept(*turn, why);
        show(*turn);
        carry_out(*turn);
    } else {
        take_back(*turn);
        if (turn->asks.size() == 1) {
            const Input& ask = turn->asks.front();
            parts_.log.error("the store refuses what was asked", {{"reason", why.detail}});
            if (ask.answered) ask.answered(fail(why));
        } else {
            singly_ += turn->asks.size();
            std::move(turn->asks.rbegin(), turn->asks.rend(), std::front_inserter(inbox_));
        }
    }
    if (!inbox_.empty() && !keeping_) this->turn();
}

void Queen::Shell::not_kept(const Turn& turn, const Error& why) {
    parts_.log.error(
        "the store refuses what happened; it is not kept",
        {{"reason", why.detail}, {"swarms", turn.batch.swarms.size()}});
    if (std::exchange(refusal_told_, true)) return;
    wire::Scope self{.role = wire::orchestrator_role(), .instance = options_.instance};
    if (!turn.batch.swarms.empty()) self.swarm = turn.batch.swarms.front().id;
    say(wire::Envelope::alert(
        {{wire::orchestrator_role(), options_.instance}, parts_.clock.wall()}, std::move(self),
        {.code = "orchestrator.not-kept",
         .message = "the store refuses what happened, a restart will not know of it: " + why.detail,
         .context = json::object{{"phase", "store"}}}));
}

void Queen::Shell::show(const Turn& turn) {
    for (const auto& id : turn.touched) {
        const auto found = state_.swarms.find(id);
        if (found == state_.swarms.end()) {
            reports_.forget(id);
            continue;
        }
        const auto report = reports_.update(found->second);
        if (parts_.on_change) parts_.on_change(*report);
    }
    if (!parts_.on_entry) return;
    for (const auto& entry : turn.batch.entries) parts_.on_entry(entry);
}

void Queen::Shell::carry_out(const Turn& turn) {
    for (const Input& ask : turn.asks) {
        if (ask.answered) ask.answered({});
    }
    for (const auto& command : turn.commands) perform(command);
}

void Queen::Shell::perform(const Command& command) {
    std::visit(
        overloaded{
            [&](const Publish& publish) { say(publish.envelope); },
            [&](const AnnounceCreated& announcement) { announce(announcement); },
            [&](const LaunchMarshal& marshal) { launch(marshal); },
            [&](const RemoveComponents& removal) {
                parts_.runtime.stop_all(
                    removal.swarm, runtime::Which::everything, options_.stop_grace,
                    [this, post = strand_.poster(), swarm = removal.swarm](const Status& gone) {
                        post([this, swarm, gone] {
                            if (gone) return take({ComponentsGone{swarm}});
                            parts_.log.warn("components remain", {{"reason", gone.error().detail}});
                        });
                    });
            },
            [&](const RemoveObjects& removal) { remove(removal); },
            [&](const Ended& ended) { endings_.ended(ended); },
            // Sorted out before.
            [](const Save&) {},
            [](const KeepAsk&) {},
            [](const Forget&) {},
            [](const Record&) {},
            [](const Refuse&) {},
        },
        command);
}

void Queen::Shell::say(const wire::Envelope& envelope) {
    if (auto ok = mailbox_.say(envelope); !ok) {
        parts_.log.warn("nothing was said", {{"reason", ok.error().detail}});
    }
}

void Queen::Shell::announce(const AnnounceCreated& announcement) {
    say(announcement.envelope);
    const auto safe = parts_.bus.control().flush(flush_within);
    if (safe) return later(OutcomeSafe{announcement.swarm});
    parts_.log.warn("an outcome is not safe yet", {{"reason", safe.error().detail}});
}

void Queen::Shell::launch(const LaunchMarshal& launch) {
    const worker::Identity self{launch.swarm, wire::controller_role(), launch.instance};
    runtime::Component component{
        .name = {self.swarm, self.role, self.instance},
        .environment = worker::environment_of(self)};
    for (const auto& [name, value] : options_.marshal_environment) {
        component.environment[name] = value;
    }
    parts_.runtime.launch(
        std::move(component),
        [this, post = strand_.poster(), swarm = launch.swarm](const Status& launched) {
            if (launched) return;
            post(
                [this, failed = MarshalFailed{swarm, launched.error().detail}] { take({failed}); });
        });
}

void Queen::Shell::remove(const RemoveObjects& removal) {
    auto& topology = parts_.bus.topology();
    const auto layout = controller::read_template(removal.swarm, removal.text);
    auto objects = controller::objects_of(removal.swarm, layout.value_or(controller::Template{}));
    objects.queues.push_back(
        wire::control_queue(removal.swarm, wire::controller_role(), removal.marshal));
    const auto failed = [&](const Status& status) {
        if (status) return false;
        parts_.log.warn("not removed yet", {{"reason", status.error().detail}});
        return true;
    };
    for (const auto& queue : objects.queues) {
        if (failed(topology.remove_queue(queue))) return;
    }
    for (const auto& exchange : objects.exchanges) {
        if (failed(topology.remove_exchange(exchange))) return;
    }
    later(ObjectsGone{removal.swarm});
}

} // namespace hive::orchestrator
