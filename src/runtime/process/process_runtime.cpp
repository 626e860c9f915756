#include "runtime/process/process_runtime.hpp"

#include "runtime/process/living.hpp"
#include "runtime/process/supervisor.hpp"

#include <algorithm>

namespace hive::runtime::process {
namespace {

class ProcessRuntime final : public Runtime {
public:
    explicit ProcessRuntime(std::unique_ptr<Supervisor> supervisor)
        : supervisor_{std::move(supervisor)} {}

    void launch(Component component, Done done) override {
        supervisor_->submit(LaunchOrder{std::move(component), make_answer(std::move(done))});
    }

    void stop(const Name& name, Duration grace, Done done) override {
        supervisor_->submit(StopOrder{name, grace, make_answer(std::move(done))});
    }

    void stop_all(const SwarmId& swarm, Which which, Duration grace, Done done) override {
        auto answer = make_answer(std::move(done));
        if (which == Which::bees) {
            return supervisor_->submit(StopAllOrder{swarm, false, grace, std::move(answer)});
        }
        // The controller first, so that it launches nothing anew.
        Supervisor& supervisor = *supervisor_;
        const auto then = [&supervisor, swarm, grace, answer](Status status) {
            if (!status) return answer->tell(std::move(status));
            supervisor.submit(StopAllOrder{swarm, false, grace, answer});
        };
        supervisor_->submit(StopAllOrder{swarm, true, grace, make_answer(then)});
    }

    Result<std::vector<Running>> running() override {
        const Records& records = supervisor_->records();
        auto listed = records.list();
        if (!listed) return fail(std::move(listed.error()));
        for (const Error& broken : listed->broken) {
            supervisor_->log().warn("a record cannot be used", {{"reason", broken.detail}});
        }
        std::vector<Running> all;
        for (const Record& record : listed->records) {
            const auto pidfd = open_living(record.process);
            if (!pidfd) return fail(pidfd.error());
            if (!*pidfd) continue;
            all.push_back(
                {.name = record.name,
                 .since = record.started,
                 .pid = record.process.pid,
                 .log = records.log_of(record.name)});
        }
        return all;
    }

    Subscription watch(ExitListener listener) override {
        return supervisor_->watchers().add(std::move(listener));
    }

private:
    std::unique_ptr<Supervisor> supervisor_;
};

} // namespace

Result<std::unique_ptr<Runtime>> make_runtime(Options options, const Clock& clock, Logger log) {
    if (options.program.empty()) return fail(Errc::invalid, "no program to run components with");
    auto supervisor = Supervisor::start(std::move(options), clock, std::move(log));
    if (!supervisor) return fail(std::move(supervisor.error()));
    return std::make_unique<ProcessRuntime>(std::move(*supervisor));
}

Result<std::vector<Orphan>> find_records(const std::string& directory) {
    const Records records{directory};
    auto listed = records.list();
    if (!listed) return fail(std::move(listed.error()));
    if (!listed->broken.empty()) return fail(std::move(listed->broken.front()));
    std::vector<Orphan> found;
    for (const Record& record : listed->records) {
        const auto pidfd = open_living(record.process);
        if (!pidfd) return fail(pidfd.error());
        found.push_back(
            {.name = record.name,
             .pid = record.process.pid,
             .alive = static_cast<bool>(*pidfd),
             .log = records.log_of(record.name)});
    }
    return found;
}

} // namespace hive::runtime::process
