#include "bees/trigger/shell_action.hpp"

#include "bees/trigger/shell.hpp"
#include "kernel/json.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <optional>
#include <thread>

namespace hive::bees {
namespace {

using worker::Job;
using worker::Line;
namespace header = worker::header;

std::string problem_of(const ShellResult& result) {
    if (!result.problem.empty()) return result.problem;
    if (result.timed_out) return "timeout";
    return result.exit_code == 0 ? std::string{} : fmt::format("exit-{}", result.exit_code);
}

// Bytes that are no text are shown as escapes.
std::string text_of(const std::string& output) {
    return find_invalid_utf8(output) ? printable(output, output.size() * 4) : output;
}

wire::Step step_of(const ShellResult& result) {
    const double ms = std::chrono::duration<double, std::milli>{result.took}.count();
    wire::Step step;
    step.payload = R"({"kind":"shell.result","outcome":{"output":)";
    append_json_string(step.payload, text_of(result.output));
    step.payload += fmt::format(
        R"(,"outputBytes":{},"exitCode":{},"timedOut":{}}},"metrics":{{"durationMs":{:.6f}}}}})",
        result.output_bytes, result.exit_code, result.timed_out, ms);
    step.headers.set(header::call_success, wire::HeaderValue::json(result.ok() ? "true" : "false"));
    step.headers.set(header::call_duration, wire::HeaderValue::json(fmt::format("{:.6f}", ms)));
    if (!result.ok()) step.headers.set(header::call_error, problem_of(result));
    return step;
}

// One command at a time, on a thread of its own.
class ShellAction final : public Action {
public:
    ShellAction(const TriggerConfig& config, const worker::WorkloadParts& parts)
        : parts_{parts}, order_{
                             .command = config.command,
                             .timeout = std::chrono::milliseconds{config.timeout_ms},
                             .output_bytes_max = config.output_bytes_max} {}
    ~ShellAction() override {
        cancel_ = true;
        if (thread_.joinable()) thread_.join();
    }

    std::size_t room() const override { return job_ ? 0 : 1; }

    void begin(Job& job, Line& line) override {
        if (thread_.joinable()) thread_.join(); // it has told its result
        job_ = job;
        line_ = &line;
        thread_ = std::thread{[this, post = parts_.strand.poster(), self = std::weak_ptr{alive_}] {
            auto result = run_shell(order_, parts_.clock, cancel_);
            post([this, self, result = std::move(result)] {
                if (self.lock()) finish(result);
            });
        }};
    }

private:
    void finish(const ShellResult& result) {
        Job job = *std::exchange(job_, std::nullopt);
        auto step = step_of(result);
        step.by = line_->stamp();
        job.item->add_step(std::move(step), line_->history());
        add(problem_of(result));
        line_->forward(job);
        line_->bell()(); // there is room again
    }

    worker::WorkloadParts parts_;
    ShellOrder order_;
    std::atomic<bool> cancel_{false};
    std::optional<Job> job_{};
    Line* line_ = nullptr;
    std::shared_ptr<int> alive_ = std::make_shared<int>(0);
    std::thread thread_{};
};

} // namespace

std::unique_ptr<Action>
make_shell_action(const TriggerConfig& config, const worker::WorkloadParts& parts) {
    return std::make_unique<ShellAction>(config, parts);
}

} // namespace hive::bees
