#include "runtime/inproc/inproc_runtime.hpp"

#include "loop/loop.hpp"
#include "loop/strand.hpp"
#include "runtime/answer.hpp"
#include "runtime/watchers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace hive::runtime::inproc {
namespace {

constexpr Duration grace_max = std::chrono::hours{24 * 365}; // so that now + grace is a time

struct Launch {
    Component component;
    AnswerPtr answer;
};

// One component from its launch until it is gone.
struct Life {
    Name name;
    Timestamp since{};
    std::uint64_t number = 0; // tells it from earlier ones of the same name
    std::unique_ptr<Inhabitant> inhabitant{};
    bool stopping = false;
    std::vector<AnswerPtr> stops{}; // who waits until it is gone
    std::vector<Launch> next{};     // what follows then
};

Status refused(const Name& name, const Name& living) {
    return fail(
        Errc::conflict,
        fmt::format(
            "{} cannot be launched as {} in swarm {}: it lives there as {}; choose another name or "
            "stop that one first",
            name.instance.text(), name.role.text(), name.swarm.text(), living.role.text()));
}

// All that happens to lives happens on one strand of one thread: factories, stops and ends come one
// after another, and never on the stack of a component that calls in.
class InprocRuntime final : public Runtime {
public:
    InprocRuntime(Factory factory, const Clock& clock)
        : factory_{std::move(factory)}, clock_{clock} {}

    ~InprocRuntime() override {
        strand_.close();
        // Moved out, since one that ends may still ask who is running.
        const Lives last = [&] {
            const std::lock_guard lock{mutex_};
            return std::exchange(lives_, {});
        }();
    }

    void launch(Component component, Done done) override {
        strand_.post([this, launch = Launch{std::move(component), make_answer(std::move(done))}] {
            begin(launch);
        });
    }

    void stop(const Name& name, Duration grace, Done done) override {
        strand_.post([this, name, grace, answer = make_answer(std::move(done))] {
            const auto found = lives_.find({name.swarm, name.instance});
            if (found == lives_.end() || found->second.name != name) return answer->tell({});
            begin_stop(found->second, grace, answer);
        });
    }

    void stop_all(const SwarmId& swarm, Which which, Duration grace, Done done) override {
        strand_.post([this, swarm, which, grace, answer = make_answer(std::move(done))] {
            if (which == Which::bees) return stop_those(swarm, false, grace, answer);
            // The controller first, so that it launches nothing anew.
            const auto then = make_answer([this, swarm, grace, answer](Status status) {
                if (!status) return answer->tell(std::move(status));
                strand_.post([=, this] { stop_those(swarm, false, grace, answer); });
            });
            stop_those(swarm, true, grace, then);
        });
    }

    Result<std::vector<Running>> running() override {
        std::vector<Running> all;
        const std::lock_guard lock{mutex_};
        for (const auto& [key, life] : lives_) {
            all.push_back({.name = life.name, .since = life.since});
        }
        return all;
    }

    Subscription watch(ExitListener listener) override {
        return watchers_.add(std::move(listener));
    }

private:
    using Key = std::pair<SwarmId, InstanceId>;
    using Lives = std::map<Key, Life>;

    static Key key_of(const Name& name) { return {name.swarm, name.instance}; }

    void begin(const Launch& launch) {
        const Name& name = launch.component.name;
        if (const auto found = lives_.find(key_of(name)); found != lives_.end()) {
            Life& life = found->second;
            if (life.name != name) return launch.answer->tell(refused(name, life.name));
            if (!life.stopping) return launch.answer->tell({});
            life.next.push_back(launch);
            return;
        }
        const std::uint64_t number = ++launched_;
        auto made = make(launch.component, number);
        if (!made) return launch.answer->tell(fail(made.error()));
        {
            const std::lock_guard lock{mutex_};
            lives_.emplace(
                key_of(name), Life{
                                  .name = name,
                                  .since = clock_.wall(),
                                  .number = number,
                                  .inhabitant = std::move(*made)});
        }
        launch.answer->tell({});
    }

    Result<std::unique_ptr<Inhabitant>> make(const Component& component, std::uint64_t number) {
        const Name& name = component.name;
        try {
            auto made = factory_(
                component,
                [this, name, number, post = strand_.poster()](bool failed, std::string cause) {
                    post([this, exit = Exit{name, failed, std::move(cause)}, number] {
                        end(key_of(exit.name), number, &exit);
                    });
                });
            if (made && !*made) {
                return fail(Errc::unavailable, name.role.text() + " was made of nothing");
            }
            return made;
        } catch (const std::exception& error) { // an outage while it was made ends here
            return fail(
                Errc::unavailable,
                fmt::format("{} cannot be launched: {}", name.instance.text(), error.what()));
        }
    }

    void stop_those(const SwarmId& swarm, bool controllers, Duration grace, const AnswerPtr& all) {
        std::vector<Life*> those;
        for (auto& [key, life] : lives_) {
            if (life.name.swarm == swarm && life.name.is_controller() == controllers) {
                those.push_back(&life);
            }
        }
        if (those.empty()) return all->tell({});
        const Done done = gather(those.size(), all);
        for (Life* life : those) begin_stop(*life, grace, make_answer(done));
    }

    void begin_stop(Life& life, Duration grace, const AnswerPtr& answer) {
        const Key key = key_of(life.name);
        const std::uint64_t number = life.number;
        life.stops.push_back(answer);
        for (const Launch& launch : std::exchange(life.next, {})) {
            launch.answer->tell(fail(overtaken(life.name)));
        }
        force_at(clock_.now() + std::clamp(grace, Duration::zero(), grace_max), {key, number});
        if (std::exchange(life.stopping, true)) return;
        life.inhabitant->stop([this, key, number, post = strand_.poster()] {
            post([this, key, number] { end(key, number, nullptr); });
        });
    }

    // One timer for all of them: thousands may be told to stop at once.
    void force_at(TimePoint deadline, std::pair<Key, std::uint64_t> life) {
        deadlines_.emplace(deadline, std::move(life));
        arm();
    }

    void arm() {
        if (deadlines_.empty()) return;
        const TimePoint first = deadlines_.begin()->first;
        if (armed_ && *armed_ <= first) return;
        armed_ = first;
        strand_.after(first - clock_.now(), [this, first] {
            if (armed_ == first) armed_.reset();
            force_overdue();
            arm();
        });
    }

    void force_overdue() {
        while (!deadlines_.empty() && deadlines_.begin()->first <= clock_.now()) {
            const auto [key, number] = deadlines_.extract(deadlines_.begin()).mapped();
            end(key, number, nullptr);
        }
    }

    // By its own word or at a stop. Does nothing when that life is over already.
    void end(const Key& key, std::uint64_t number, const Exit* exit) {
        const auto found = lives_.find(key);
        if (found == lives_.end() || found->second.number != number) return;
        std::unique_lock lock{mutex_};
        Life life = std::move(found->second);
        lives_.erase(found);
        lock.unlock();
        life.inhabitant.reset();
        if (!life.stopping && exit != nullptr) watchers_.tell(*exit);
        for (const AnswerPtr& answer : life.stops) answer->tell({});
        for (const Launch& launch : life.next) begin(launch);
    }

    Factory factory_;
    const Clock& clock_;
    Watchers watchers_{};
    loop::Loop loop_{1};
    std::mutex mutex_{}; // of lives_, where others look or it changes its members
    Lives lives_{};
    std::uint64_t launched_ = 0;
    std::multimap<TimePoint, std::pair<Key, std::uint64_t>> deadlines_{};
    std::optional<TimePoint> armed_{};
    loop::Strand strand_{loop_};
};

} // namespace

std::unique_ptr<Runtime> make_runtime(Factory factory, const Clock& clock) {
    return std::make_unique<InprocRuntime>(std::move(factory), clock);
}

} // namespace hive::runtime::inproc
