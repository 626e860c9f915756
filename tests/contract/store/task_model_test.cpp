#include "tests/contract/store/task_scene.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

using namespace hive;
using namespace hive::colony::tasks;
using namespace std::chrono_literals;
using hive::tests::TaskScene;

namespace {

// What a task is to be, in the simplest words.
struct Model {
    State state = State::pending;
    int attempts = 0;
    std::uint64_t token = 0;
    std::string holder;
    Timestamp lease_ends{};
    Timestamp due{};
    std::set<std::string> waits_for;

    bool held_by(const std::string& bee, std::uint64_t by, Timestamp now) const {
        return is_held(state) && holder == bee && token == by && now < lease_ends;
    }
};

constexpr int attempts_max = 3;
constexpr Duration lease = 30s;

// Bees that claim, work, fail, fall silent and come back with old tokens, against the model.
class Course {
public:
    explicit Course(std::uint64_t seed) : chance_{seed} {}

    void run(int acts) {
        for (int i = 0; i < acts; ++i) {
            act();
            compare(i);
        }
        drain();
    }

private:
    struct Grip { // what a bee believes to hold
        std::string bee;
        std::string task;
        std::uint64_t token = 0;
    };

    void act() {
        switch (chance_.below(12)) {
        case 0:
        case 1: return make();
        case 2:
        case 3: return claim_one();
        case 4:
        case 5: return claim_any();
        case 6: return work("progress");
        case 7: return work("complete");
        case 8: return work("fail");
        case 9: return work(chance_.chance(0.5) ? "block" : "release");
        case 10: return steer();
        default: return pass(std::chrono::seconds{chance_.below(20)});
        }
    }

    void make() {
        NewTask wanted{
            .title = "t", .retry = {.attempts_max = attempts_max, .first = 5s, .longest = 8s}};
        Model model;
        if (!ids_.empty() && chance_.chance(0.3)) {
            const auto& on = any_task();
            wanted.depends_on = {on};
            if (models_.at(on).state != State::completed) model.waits_for.insert(on);
        }
        if (!model.waits_for.empty()) model.state = State::waiting;
        const Task task = scene_.made(wanted);
        ids_.push_back(task.id);
        models_.emplace(task.id, model);
    }

    void take(const Task& task, const std::string& bee) {
        Model& model = models_.at(task.id);
        CHECK(task.lease->token > model.token); // tokens only rise
        model.state = State::claimed;
        ++model.attempts;
        model.token = task.lease->token;
        model.holder = bee;
        model.lease_ends = scene_.now + lease;
        grips_.push_back({bee, task.id, model.token});
        if (grips_.size() > 60) grips_.erase(grips_.begin());
    }

    void claim_one() {
        if (ids_.empty()) return;
        const auto id = any_task();
        const auto bee = any_bee();
        const bool may = models_.at(id).state == State::pending;
        const auto done =
            scene_.as_bee(bee, [&](Bench& b) { return claim(b, id, {.lease = lease}); });
        REQUIRE(done.has_value() == may);
        if (done) take(*done, bee);
    }

    void claim_any() {
        const auto bee = any_bee();
        const std::size_t count = 1 + chance_.below(3);
        const auto pending = static_cast<std::size_t>(std::ranges::count_if(
            models_, [](const auto& m) { return m.second.state == State::pending; }));
        const auto done = scene_.as_bee(bee, [&](Bench& b) {
            return claim_next(b, {.count = count, .terms = {.lease = lease}});
        });
        REQUIRE(done);
        REQUIRE(done->size() == std::min(count, pending)); // all there is, to whoever asks
        for (const Task& task : *done) take(task, bee);
    }

    void work(std::string_view what) {
        if (grips_.empty()) return;
        const Grip grip = grips_[chance_.below(grips_.size())];
        Model& model = models_.at(grip.task);
        const bool may = model.held_by(grip.bee, grip.token, scene_.now);
        const auto done = scene_.as_bee(grip.bee, [&](Bench& b) -> colony::Outcome<Task> {
            const Report report{.hold = {grip.token}, .note = "n"};
            if (what == "progress") return progress(b, grip.task, report);
            if (what == "complete") return complete(b, grip.task, report);
            if (what == "block") return block(b, grip.task, report);
            if (what == "release") return release(b, grip.task, report);
            return fail_attempt(b, grip.task, {.hold = {grip.token}, .error = "e"});
        });
        REQUIRE_MESSAGE(done.has_value() == may, what);
        if (!done) return;
        if (what == "progress") {
            model.state = State::in_progress;
            model.lease_ends = scene_.now + lease;
        } else if (what == "complete") {
            model.state = State::completed;
            met(grip.task);
        } else if (what == "block" || what == "release") {
            model.state = what == "block" ? State::blocked : State::pending;
            --model.attempts;
        } else {
            fail_model(model);
        }
    }

    void fail_model(Model& model) const {
        if (model.attempts >= attempts_max) {
            model.state = State::dead;
            return;
        }
        model.state = State::waiting;
        model.due = scene_.now + (model.attempts == 1 ? 5s : 8s);
    }

    void met(const std::string& id) {
        for (auto& [other, model] : models_) {
            if (model.waits_for.erase(id) == 0) continue;
            if (model.state == State::waiting && model.waits_for.empty() &&
                model.due <= scene_.now) {
                model.state = State::pending;
            }
        }
    }

    void steer() {
        if (ids_.empty()) return;
        const auto id = any_task();
        Model& model = models_.at(id);
        const auto what = chance_.below(4);
        const bool over = model.state == State::failed || model.state == State::cancelled ||
                          model.state == State::dead;
        const std::array<bool, 4> may{
            model.state == State::blocked, !is_over(model.state), over,
            model.state == State::completed};
        const auto done = scene_.as_person([&](Bench& b) -> colony::Outcome<Task> {
            if (what == 0) return unblock(b, id, "");
            if (what == 1) return cancel(b, id, "");
            if (what == 2) return redrive(b, id, "");
            return reopen(b, id, "");
        });
        REQUIRE(done.has_value() == may.at(what));
        if (!done) return;
        if (what == 1) {
            model.state = State::cancelled;
            return;
        }
        if (what != 0) {
            model.attempts = 0;
            model.due = {};
        }
        model.state =
            model.waits_for.empty() && model.due <= scene_.now ? State::pending : State::waiting;
        if (what != 3) return;
        model.state = State::pending;
        for (auto& [other, one] : models_) {
            if (!depends_on(other, id) || is_over(one.state)) continue;
            one.waits_for.insert(id);
            if (one.state == State::pending) one.state = State::waiting;
        }
    }

    void pass(Duration time) {
        scene_.pass(time);
        for (auto& [id, model] : models_) {
            if (is_held(model.state) && model.lease_ends <= scene_.now) {
                model.state = model.attempts >= attempts_max ? State::dead : State::pending;
            }
            if (model.state == State::waiting && model.waits_for.empty() &&
                model.due <= scene_.now) {
                model.state = State::pending;
            }
        }
    }

    bool depends_on(const std::string& task, const std::string& on) {
        return colony::has(scene_.found(task).depends_on, on);
    }

    void compare(int after) {
        for (const auto& [id, model] : models_) {
            const Task task = scene_.found(id);
            CAPTURE(after);
            REQUIRE(name_of(task.state) == name_of(model.state));
            REQUIRE(task.attempts == model.attempts);
            REQUIRE(task.lease.has_value() == is_held(model.state)); // one holder or none
            if (task.lease) REQUIRE(task.lease->holder == model.holder);
            REQUIRE(std::set(task.unmet.begin(), task.unmet.end()) == model.waits_for);
        }
    }

    // Nothing is stuck: with willing bees every task comes to an end.
    void drain() {
        for (int round = 0; round < 60; ++round) {
            pass(10s);
            scene_.as_person([&](Bench& b) -> colony::Outcome<int> {
                for (const auto& [id, model] : models_) {
                    if (model.state == State::blocked) unblock(b, id, "").value();
                    if (model.state == State::cancelled || model.state == State::dead) {
                        redrive(b, id, "").value();
                    }
                }
                return 0;
            });
            const auto done = scene_.as_bee("drainer", [&](Bench& b) -> colony::Outcome<int> {
                auto tasks = claim_next(b, {.count = 100, .terms = {.lease = lease}});
                for (const Task& task : *tasks) {
                    complete(b, task.id, {.hold = {task.lease->token}}).value();
                }
                return static_cast<int>(tasks->size());
            });
            for (auto& [id, model] : models_) {
                const Task task = scene_.found(id);
                model.state = task.state;
                model.waits_for = {task.unmet.begin(), task.unmet.end()};
                if (task.lease) model.lease_ends = task.lease->ends;
                model.attempts = task.attempts;
                model.due = task.not_before.value_or(Timestamp{});
            }
            if (*done == 0 && round > 10) break;
        }
        for (const auto& id : ids_) REQUIRE(scene_.found(id).state == State::completed);
    }

    std::string any_bee() { return fmt::format("BEE-{}", chance_.below(4)); }
    const std::string& any_task() { return ids_[chance_.below(ids_.size())]; }

    TaskScene scene_;
    Random chance_;
    std::vector<std::string> ids_;
    std::map<std::string, Model> models_;
    std::vector<Grip> grips_;
};

} // namespace

TEST_CASE("tasks are what a simple model says, whatever many bees do") {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        CAPTURE(seed);
        Course{seed}.run(150);
    }
}
