#include "runtime/inproc/inproc_runtime.hpp"
#include "tests/contract/runtime/place.hpp"

#include <map>
#include <mutex>
#include <thread>

namespace hive::contract {
namespace {

using runtime::inproc::Inhabitant;
using runtime::inproc::TellExit;

class Idle final : public Inhabitant {
public:
    void stop(std::function<void()> gone) override { gone(); }
};

class Stubborn final : public Inhabitant {
public:
    void stop(std::function<void()> /*gone*/) override {}
};

// Ends by itself, told from a thread of its own that its destructor waits for.
class Ending final : public Inhabitant {
public:
    Ending(bool failed, std::string cause, TellExit tell)
        : thread_{[failed, cause = std::move(cause), tell = std::move(tell)] {
              tell(failed, cause);
              tell(true, "said again");
          }} {}
    void stop(std::function<void()> gone) override { gone(); }

private:
    std::jthread thread_;
};

class InprocPlace final : public Place {
public:
    std::unique_ptr<runtime::Runtime> open() override {
        return runtime::inproc::make_runtime(
            [this](const runtime::Component& component, TellExit tell) {
                return make(component, std::move(tell));
            },
            clock_);
    }
    bool is_settled(const runtime::Name&) override { return true; }
    std::string saying_of(const runtime::Name& name) override {
        const std::lock_guard lock{mutex_};
        return sayings_[name.instance.text()];
    }
    std::size_t many() const override { return 1000; }

private:
    Result<std::unique_ptr<Inhabitant>> make(const runtime::Component& component, TellExit tell) {
        const std::string& role = component.name.role.text();
        if (component.environment.contains("SAYING")) {
            const std::lock_guard lock{mutex_};
            sayings_[component.name.instance.text()] = component.environment.at("SAYING");
        }
        if (role == "idle" || role == "swarm-controller") return std::make_unique<Idle>();
        if (role == "stubborn") return std::make_unique<Stubborn>();
        if (role == "fails") {
            tell(true, "exit code 3"); // while it is still being made
            return std::make_unique<Stubborn>();
        }
        if (role == "finishes") {
            return std::make_unique<Ending>(false, "exit code 0", std::move(tell));
        }
        return fail(Errc::not_found, "there is no role '" + role + "'");
    }

    SystemClock clock_{};
    std::mutex mutex_{};
    std::map<std::string, std::string> sayings_{};
};

} // namespace

std::unique_ptr<Place> make_place() {
    return std::make_unique<InprocPlace>();
}

} // namespace hive::contract
