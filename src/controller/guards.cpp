// Buffer guards: when depths are read, and how what they command reaches the bees.
#include "controller/step.hpp"
#include "guard/decide.hpp"
#include "guard/share.hpp"
#include "guard/status.hpp"
#include "kernel/overloaded.hpp"
#include "wire/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace hive::controller {
namespace {

constexpr double scheduler_rate = 1; // of a scheduler that was told none
constexpr double same_rate = 1e-6;   // apart: a number that has been written and read again

bool same(double a, double b) {
    return std::abs(a - b) <= same_rate * std::max(std::abs(a), std::abs(b));
}

double rate_of(const Bee& bee, const Steered& producer) {
    return plan::number_at(bee.config, producer.field).value_or(scheduler_rate);
}

bool passes_all(const Bee& bee) {
    const auto* mode = bee.config.if_contains("mode");
    const auto* object = mode == nullptr ? nullptr : mode->if_object();
    const auto* type = object == nullptr ? nullptr : object->if_contains("type");
    return type == nullptr || *type == "pass-through";
}

class Post {
public:
    Post(Step& step, GuardPost& post) : step_{step}, post_{post} {}

    void hear(const guard::Event& event) {
        auto decision =
            guard::decide(std::move(post_.state), event, step_.moment.now, post_.settings);
        post_.state = std::move(decision.next);
        for (const guard::Command& command : decision.commands) perform(command);
    }

    void begin() {
        for (Steered& producer : post_.producers) {
            const Bee* bee = find_bee(step_.state, producer.instance);
            producer.configured = bee == nullptr ? 0 : rate_of(*bee, producer);
            producer.told = producer.configured;
            if (bee != nullptr) producer.refused = bee->refused;
        }
        free_moderators();
        post_.next_sample = step_.moment.now + post_.settings.sample_period;
        post_.awaited.clear();
        hear(guard::Enabled{configured()});
    }

    // A step of the plan or a person may set the rate of a producer too. That is what it is
    // configured to from then on: in proportion to it, and back to it, the guard steers.
    void heed_others() {
        bool news = false;
        for (Steered& producer : post_.producers) {
            const Bee* bee = find_bee(step_.state, producer.instance);
            if (bee == nullptr) continue;
            const double rate = rate_of(*bee, producer);
            // A bee that refuses is back where it was; nobody wished for that.
            const bool refusal = std::exchange(producer.refused, bee->refused) != bee->refused;
            if (same(rate, producer.told)) continue;
            producer.told = rate;
            if (refusal) continue;
            producer.configured = rate;
            news = true;
        }
        if (!news) return;
        hear(guard::Configured{configured()});
        if (post_.state.phase != guard::Phase::disabled) set_rate(post_.state.rate);
    }

private:
    double configured() const {
        double total = 0;
        for (const Steered& producer : post_.producers) total += producer.configured;
        return total;
    }

    void perform(const guard::Command& command) {
        std::visit(
            overloaded{
                [&](const guard::SetRate& set) { set_rate(set.total); },
                [&](const guard::SetModeratorFactor& set) { slow_down(set.factor); },
                [&](const guard::RestoreStatic&) {
                    for (Steered& each : post_.producers) tell_rate(each, each.configured);
                },
                [](const guard::Warn&) {},
                [](const guard::Note&) {},
            },
            command);
        announce(command);
    }

    void set_rate(double total) {
        std::vector<guard::Producer> producers;
        for (const Steered& each : post_.producers) {
            producers.push_back({.configured = each.configured});
        }
        const auto rates = guard::share(total, producers);
        for (std::size_t i = 0; i < rates.size(); ++i) tell_rate(post_.producers[i], rates[i]);
    }

    void tell_rate(Steered& producer, double rate) {
        producer.told = rate;
        Bee* bee = find_bee(step_.state, producer.instance);
        if (bee != nullptr) configure_bee(step_, *bee, plan::patch_for(producer.field, rate));
    }

    // By a part of whatever its mode says, which stays as plan and people set it.
    void slow_down(double factor) {
        if (post_.admitted <= 0) {
            post_.admitted =
                std::max(post_.state.consumption.rate(), post_.settings.adjust.min_rate);
        }
        for (const std::string& instance : post_.moderators) {
            Bee* bee = find_bee(step_.state, instance);
            if (bee == nullptr) continue;
            json::object mode{{"admitPct", factor * 100}};
            // Everything is no rate: what it let pass before stands for it.
            if (factor < 1 && passes_all(*bee)) mode["ratePerSec"] = post_.admitted;
            configure_bee(step_, *bee, {{"mode", std::move(mode)}});
        }
        if (factor >= 1) post_.admitted = 0;
    }

    // Of an earlier life of this controller that ended while they were slowed down.
    void free_moderators() {
        post_.admitted = 0;
        for (const std::string& instance : post_.moderators) {
            Bee* bee = find_bee(step_.state, instance);
            if (bee == nullptr || !plan::number_at(bee->config, "mode.admitPct")) continue;
            configure_bee(step_, *bee, {{"mode", json::object{{"admitPct", 100}}}});
        }
    }

    void announce(const guard::Command& command) {
        const auto* warning = std::get_if<guard::Warn>(&command);
        const auto* note = std::get_if<guard::Note>(&command);
        const bool gate = std::holds_alternative<guard::SetModeratorFactor>(command);
        std::string code = gate ? "guard.moderator" : "guard.rate";
        if (warning != nullptr) code = "guard." + warning->code;
        if (note != nullptr) code = "guard." + note->code;
        json::object context{{"queue", post_.settings.queue}};
        for (auto& [name, value] : guard::context_of(command)) context[name] = value;
        step_.publish(wire::Envelope::alert(
            step_.sender(), step_.self(),
            {.level = warning != nullptr ? wire::AlertLevel::warn : wire::AlertLevel::info,
             .code = std::move(code),
             .message = fmt::format("{}: {}", post_.settings.queue, guard::to_text(command)),
             .context = std::move(context)}));
    }

    Step& step_;
    GuardPost& post_;
};

// The broker's name of a scenario's queue.
std::string queue_of(const Step& step, const std::string& alias) {
    return wire::work_queue(step.state.swarm, QueueName::parse(alias).value());
}

bool steers(const GuardPost& post) {
    return post.state.on_duty && post.state.phase != guard::Phase::disabled;
}

void switch_on_or_off(Step& step, bool on_duty) {
    for (GuardPost& post : step.state.guards) {
        if (post.state.on_duty == on_duty) continue;
        Post at{step, post};
        on_duty ? at.begin() : at.hear(guard::Disabled{});
    }
}

// Where the plan stands has changed, somebody has just come on duty, or looks ahead from now on.
void tell_spikes(Step& step) {
    std::vector<guard::Spike> spikes;
    if (const auto ahead = step.state.timeline.next_spike(step.moment.now)) {
        spikes.push_back({step.moment.now + ahead->in, ahead->lasts});
    }
    for (GuardPost& post : step.state.guards) {
        if (post.settings.prefill.enabled && post.state.on_duty) {
            Post{step, post}.hear(guard::SpikesPlanned{spikes});
        }
    }
}

std::set<std::string> queues_of(const Step& step, const GuardPost& post) {
    std::set<std::string> queues{queue_of(step, post.settings.queue)};
    const auto& behind = post.settings.backpressure;
    if (behind) queues.insert(queue_of(step, behind->queue));
    return queues;
}

// What has not come by now counts as missing.
void take_sample(Step& step, GuardPost& post) {
    post.awaited.clear();
    Post{step, post}.hear(std::exchange(post.sample, {}));
}

// One reading of a queue serves everybody who waits for it.
void ask_for_samples(Step& step) {
    std::set<std::string> wanted;
    std::set<std::string> coming;
    for (GuardPost& post : step.state.guards) {
        if (!steers(post) || step.moment.now < post.next_sample) {
            coming.insert(post.awaited.begin(), post.awaited.end());
            continue;
        }
        if (!post.awaited.empty()) take_sample(step, post);
        post.awaited = queues_of(step, post);
        wanted.insert(post.awaited.begin(), post.awaited.end());
        // Late once is late once: the samples after it keep their places.
        const Duration late = step.moment.now - post.next_sample;
        post.next_sample += post.settings.sample_period * (late / post.settings.sample_period + 1);
    }
    std::vector<std::string> queues;
    std::ranges::set_difference(wanted, coming, std::back_inserter(queues));
    if (!queues.empty()) step.out.emplace_back(SampleQueues{std::move(queues)});
}

} // namespace

void drive_guards(Step& step) {
    State& state = step.state;
    if (state.guards.empty()) return;
    const bool on_duty =
        state.phase == Phase::running && !state.paused && step.settings.buffer_guards;
    const bool came = on_duty && !state.guards.front().state.on_duty;
    switch_on_or_off(step, on_duty);
    if (!on_duty) return;
    for (GuardPost& post : state.guards) Post{step, post}.heed_others();
    if (came || state.spikes_known_for != state.timeline.progress(step.moment.now).fired) {
        state.spikes_known_for = state.timeline.progress(step.moment.now).fired;
        tell_spikes(step);
    }
    ask_for_samples(step);
}

void release_guards(Step& step) {
    switch_on_or_off(step, false);
}

void queues_sampled(Step& step, const QueuesSampled& seen) {
    for (GuardPost& post : step.state.guards) {
        if (!steers(post)) continue;
        const std::string own = queue_of(step, post.settings.queue);
        bool came = false;
        for (const auto& [queue, depth] : seen.queues) {
            if (post.awaited.erase(queue) == 0) continue;
            came = true;
            const auto known = depth ? std::optional{static_cast<double>(*depth)} : std::nullopt;
            (queue == own ? post.sample.depth : post.sample.behind) = known;
        }
        if (came && post.awaited.empty()) take_sample(step, post);
    }
}

namespace {

// The guard that a patch is for: by its queue, or the only one there is.
Result<std::size_t> guard_for(const json::value& patch, const std::vector<GuardPost>& guards) {
    const auto* object = patch.if_object();
    if (object == nullptr) return fail(Errc::invalid, "trafficPolicy: a guard is an object");
    const auto* queue = object->if_contains("queueAlias");
    if (queue == nullptr && guards.size() > 1) {
        return fail(
            Errc::invalid, "trafficPolicy: there are several guards; say which by queueAlias");
    }
    for (std::size_t i = 0; i < guards.size(); ++i) {
        if (queue == nullptr || *queue == json::value(guards[i].settings.queue)) return i;
    }
    return fail(Errc::invalid, "trafficPolicy: this swarm has no such guard");
}

Result<json::array> patches_in(const json::object& policy) {
    json::array out;
    for (const auto& [name, value] : policy) {
        if (name == "bufferGuard") {
            out.push_back(value);
        } else if (name == "bufferGuards" && value.is_array()) {
            for (const json::value& each : value.get_array()) out.push_back(each);
        } else {
            return fail(
                Errc::invalid, "trafficPolicy: there are bufferGuard, an object, and "
                               "bufferGuards, a list");
        }
    }
    return out;
}

} // namespace

Status patch_guards(Step& step, const json::object& policy) {
    auto& guards = step.state.guards;
    const auto patches = patches_in(policy);
    if (!patches) return fail(patches.error());
    json::array texts;
    for (const GuardPost& post : guards) texts.push_back(post.text);
    for (const json::value& patch : *patches) {
        const auto index = guard_for(patch, guards);
        if (!index) return fail(index.error());
        merge_patch(texts[*index], patch);
    }
    const auto changed = read_guards({{"bufferGuards", texts}}, step.state.layout);
    if (!changed) return fail(changed.error());
    for (std::size_t i = 0; i < guards.size(); ++i) {
        GuardPost& post = guards[i];
        if (post.text == (*changed)[i].text) continue;
        post.text = (*changed)[i].text;
        post.settings = (*changed)[i].settings;
        const TimePoint soon = step.moment.now + post.settings.sample_period;
        post.next_sample = steers(post) ? std::min(post.next_sample, soon) : soon;
        Post{step, post}.hear(guard::SettingsChanged{});
    }
    tell_spikes(step);
    return {};
}

std::optional<TimePoint> next_sample(const State& state) {
    std::optional<TimePoint> next;
    for (const GuardPost& post : state.guards) {
        if (!steers(post)) continue;
        next = next ? std::min(*next, post.next_sample) : post.next_sample;
    }
    return next;
}

json::array guards_status(const Step& step) {
    json::array out;
    for (const GuardPost& post : step.state.guards) {
        out.push_back(
            guard::to_json(post.state, post.settings, {step.moment.now, step.moment.wall}));
    }
    return out;
}

} // namespace hive::controller
