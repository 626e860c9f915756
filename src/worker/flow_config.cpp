#include "worker/flow_config.hpp"

#include <array>

namespace hive::wire {

std::span<const Named<History>> names_of(History) {
    static constexpr std::array names{
        Named<History>{"FULL", History::full}, Named<History>{"LATEST_ONLY", History::latest_only},
        Named<History>{"DISABLED", History::disabled}, Named<History>{"BOUNDED", History::bounded}};
    return names;
}

} // namespace hive::wire

namespace hive::worker {

std::span<const Named<InputType>> names_of(InputType) {
    static constexpr std::array names{
        Named<InputType>{"AUTO", InputType::automatic},
        Named<InputType>{"SCHEDULER", InputType::scheduler},
        Named<InputType>{"RABBITMQ", InputType::rabbitmq},
        Named<InputType>{"REDIS_DATASET", InputType::redis_dataset},
        Named<InputType>{"CSV_DATASET", InputType::csv_dataset}};
    return names;
}

std::span<const Named<OutputType>> names_of(OutputType) {
    static constexpr std::array names{
        Named<OutputType>{"AUTO", OutputType::automatic},
        Named<OutputType>{"RABBITMQ", OutputType::rabbitmq},
        Named<OutputType>{"REDIS", OutputType::redis}, Named<OutputType>{"NONE", OutputType::none}};
    return names;
}

void describe(FieldTable& fields, QueueInput& input) {
    fields.add("prefetch", input.prefetch)
        .range(1, 65'535)
        .help("How many items may be taken in and not yet handed on");
    fields.add("maxAttempts", input.max_attempts)
        .range(1, 1000)
        .help("How often an item is tried before it goes to the dead letters");
}

void describe(FieldTable& fields, QueueOutput& output) {
    fields.add("window", output.window)
        .range(1, 65'535)
        .help("How many items may be under way to the broker without its confirmation");
    fields.add("persistent", output.persistent)
        .help("Whether items survive a restart of the broker");
    fields.add("direct", output.direct)
        .help("Straight to the queue: cheaper on RabbitMQ, but taps see nothing");
}

void describe(FieldTable& fields, Inputs& inputs) {
    fields.add("type", inputs.type)
        .fixed()
        .help("Where items come from; AUTO: the bee's queues, or a scheduler if it has none");
    fields.add("hold", inputs.hold)
        .help("While it is true nothing is taken in; what is under way goes on");
    fields.add("rabbit", inputs.rabbit);
    fields.add("scheduler", inputs.scheduler);
    fields.add("csv", inputs.csv);
    fields.add("redis", inputs.redis);
    fields.rule([&inputs]() -> Status {
        if (inputs.type == InputType::redis_dataset) return check(inputs.redis);
        if (inputs.type != InputType::csv_dataset || !inputs.csv.file_path.text.empty()) return {};
        return fail(Errc::invalid, "csv.filePath is missing; the input CSV_DATASET needs it");
    });
}

void describe(FieldTable& fields, Outputs& outputs) {
    fields.add("type", outputs.type)
        .fixed()
        .help("Where items go; AUTO: the bee's queues, or nowhere if it has none");
    fields.add("rabbit", outputs.rabbit);
    fields.add("redis", outputs.redis);
}

std::span<const Named<UploadPhase>> names_of(UploadPhase) {
    static constexpr std::array names{
        Named<UploadPhase>{"BEFORE", UploadPhase::before},
        Named<UploadPhase>{"AFTER", UploadPhase::after}};
    return names;
}

void describe(FieldTable& fields, TemplatingConfig& config) {
    fields.add("template", config.text)
        .required()
        .rendered()
        .help("What the payload becomes before the bee works with it");
}

void describe(FieldTable& fields, UploaderConfig& config) {
    fields.add("phase", config.phase).help("Whether items are copied BEFORE the work or AFTER");
    describe(fields, config.output);
}

void describe(FieldTable& fields, InterceptorConfig& config) {
    fields.add("templating", config.templating);
    fields.add("redisUploader", config.redis_uploader);
}

void describe(FieldTable& fields, FlowConfig& config) {
    fields.add("inputs", config.inputs);
    fields.add("outputs", config.outputs);
    fields.add("interceptors", config.interceptors);
    fields.add("historyPolicy", config.history.keep)
        .help("How much of an item's past travels with it");
    fields.add("historySteps", config.history.max_steps)
        .range(1, wire::steps_max)
        .help("With BOUNDED: how many steps are kept");
    fields.add("vars", config.vars).help("Values for templates; they travel with each item");
    fields.add("redis", config.redis);
    fields.add("seed", config.seed)
        .help(
            "Of all that the bee leaves to chance: runs repeat, replicas differ; none: by chance");
}

} // namespace hive::worker
