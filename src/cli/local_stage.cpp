#include "cli/local_stage.hpp"

#include "controller/template.hpp"
#include "controller/topology.hpp"
#include "run/fitting.hpp"
#include "wire/envelope_codec.hpp"
#include "wire/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace hive::cli {
namespace {

// Everything that is asked ends by itself before this.
constexpr Duration patience = std::chrono::minutes{6};
constexpr Duration look_patience = std::chrono::seconds{2};
constexpr Duration goodbye = std::chrono::seconds{2};
// Full statuses carry whole histograms.
constexpr JsonLimits status_limits{.bytes = std::size_t{16} << 20U};

bool is_read(const controller::Template& layout, const std::string& queue) {
    return std::ranges::any_of(layout.bees, [&](const controller::BeeSpec& bee) {
        return std::ranges::any_of(
            bee.in, [&](const controller::Port& port) { return port.queue.text() == queue; });
    });
}

} // namespace

Result<std::unique_ptr<LocalStage>> LocalStage::open(
    SwarmHostOptions options, const SwarmId& swarm, const Clock& clock, const Logger& log) {
    std::unique_ptr<LocalStage> stage{new LocalStage{swarm, clock}};
    auto host = SwarmHost::open(std::move(options), clock, log);
    if (!host) return fail(host.error());
    stage->host_ = *std::move(host);
    auto observer = stage->host_->connect(bus::Grants::observer(), "run");
    if (!observer) return fail(observer.error());
    stage->observer_ = *std::move(observer);
    if (auto ok = stage->host_->start_queen(stage->keeper_, {}); !ok) return fail(ok.error());
    auto mirror = rest::ControlMirror::start(
        *stage->observer_,
        [self = stage.get()](std::string_view, std::string_view body) { self->hear(body); },
        "event.#");
    if (!mirror) return fail(mirror.error());
    stage->mirror_ = *std::move(mirror);
    return stage;
}

LocalStage::~LocalStage() {
    mirror_.reset();
    // The broker may be away; the run is over anyway.
    if (observer_) (void)observer_->close(goodbye);
}

// What does not follow the contract is none of a run's business: the parties reject it themselves.
void LocalStage::hear(std::string_view body) {
    const auto envelope = wire::decode_envelope(body, status_limits);
    if (!envelope || envelope->scope.swarm.text() != swarm_.text()) return;
    const std::lock_guard lock{heard_->mutex};
    if (const auto* alert = std::get_if<wire::Alert>(&envelope->body)) {
        const bool of_swarm = wire::is_controller(envelope->scope.role);
        if (of_swarm && alert->level == wire::AlertLevel::error && heard_->trouble.empty()) {
            heard_->trouble = alert->message;
        }
        return;
    }
    if (auto guards = run::guards_of(*envelope); !guards.empty()) {
        heard_->guards = std::move(guards);
    }
    if (auto bee = run::bee_of(*envelope)) {
        heard_->roster.hear(*std::move(bee));
        heard_->changed.notify_all();
    }
}

void LocalStage::hurry(run::Patience left) {
    const std::lock_guard lock{heard_->mutex};
    heard_->patience = left;
    heard_->changed.notify_all();
}

bool LocalStage::waits_for(wire::OutcomeStatus wanted) const {
    return heard_->patience == run::Patience::full ||
           (heard_->patience == run::Patience::removal && wanted == wire::OutcomeStatus::removed);
}

Status
LocalStage::ask(orchestrator::Queen::Ask asked, const std::string& id, wire::OutcomeStatus wanted) {
    struct Answer {
        std::optional<Status> taken{};
        std::optional<orchestrator::Ended> ended{};
    };
    auto answer = std::make_shared<Answer>();
    const auto put = [heard = heard_](auto& where, const auto& what) {
        const std::lock_guard lock{heard->mutex};
        where = what;
        heard->changed.notify_all();
    };
    const Subscription waiting = host_->queen().when_ended(
        id, [answer, put](const orchestrator::Ended& ended) { put(answer->ended, ended); });
    host_->queen().ask(std::move(asked), nullptr, [answer, put](const Status& status) {
        put(answer->taken, status);
    });
    std::unique_lock lock{heard_->mutex};
    const auto refused = [&] { return answer->taken && !*answer->taken; };
    heard_->changed.wait_for(
        lock, patience, [&] { return answer->ended || refused() || !waits_for(wanted); });
    if (refused()) return *answer->taken;
    if (!answer->ended) {
        const bool in_time = !waits_for(wanted);
        return fail(Errc::unavailable, in_time ? "interrupted" : "the swarm did not answer");
    }
    const orchestrator::Ended& ended = *answer->ended;
    if (ended.status == wanted) return {};
    return fail(
        Errc::unavailable, ended.reason.empty() ? "the swarm did not answer" : ended.reason);
}

Status LocalStage::create(const json::object& text, const json::object& plan) {
    auto layout = controller::read_template(swarm_, text);
    if (!layout) return fail(layout.error());
    layout_ = *std::move(layout);
    std::vector<std::string> instances;
    for (const auto& bee : layout_.bees) instances.emplace_back(bee.instance.text());
    {
        const std::lock_guard lock{heard_->mutex};
        heard_->roster = run::Roster{std::move(instances)};
    }
    const auto id = next_id();
    return ask(
        orchestrator::CreateAsked{
            .swarm = swarm_, .text = text, .plan = plan, .attempt = {id, id}, .run = swarm_.text()},
        id, wire::OutcomeStatus::ready);
}

Status LocalStage::wish(orchestrator::Wish wish, wire::OutcomeStatus wanted) {
    const auto id = next_id();
    return ask(
        orchestrator::WishAsked{.swarm = swarm_, .wish = wish, .attempt = {id, id}}, id, wanted);
}

Status LocalStage::start() {
    return wish(orchestrator::Wish::running, wire::OutcomeStatus::running);
}

Status LocalStage::hold(bool hold) {
    for (const controller::BeeSpec& bee : layout_.bees) {
        if (!bee.in.empty()) continue;
        const auto id = next_id();
        auto ok = ask(
            orchestrator::ConfigAsked{
                .target = scope_of(bee), .patch = run::hold_patch(hold), .attempt = {id, id}},
            id, wire::OutcomeStatus::applied);
        if (!ok) return ok;
    }
    return {};
}

Result<run::Sight> LocalStage::look() {
    std::unique_lock lock{heard_->mutex};
    heard_->roster.ask();
    lock.unlock();
    for (const controller::BeeSpec& bee : layout_.bees) {
        host_->queen().request_status(scope_of(bee));
    }
    host_->queen().request_status(
        {swarm_, wire::controller_role(), wire::Target<InstanceId>::all()});
    run::Sight sight;
    for (const std::string& queue : controller::work_queues(swarm_, layout_)) {
        const auto stats = observer_->topology().inspect(queue);
        if (!stats) continue; // the marshal says so, and declares it again
        const auto name = queue.substr(queue.rfind('.') + 1);
        sight.depths[name] = stats->depth;
        if (!is_read(layout_, name)) sight.unread.insert(name);
    }
    lock.lock();
    heard_->changed.wait_for(lock, look_patience, [&] {
        return heard_->roster.all_answered() || heard_->patience == run::Patience::none;
    });
    sight.at = clock_.now();
    sight.guards = heard_->guards;
    if (!heard_->roster.all_answered() && !heard_->trouble.empty()) {
        return fail(Errc::unavailable, heard_->trouble);
    }
    heard_->roster.tell(sight);
    return sight;
}

std::string LocalStage::trouble() {
    const std::lock_guard lock{heard_->mutex};
    return heard_->trouble;
}

Status LocalStage::remove() {
    return wish(orchestrator::Wish::removed, wire::OutcomeStatus::removed);
}

} // namespace hive::cli
