#pragma once

#include "kernel/fields.hpp"
#include "wire/work_item.hpp"
#include "worker/dataset_config.hpp"
#include "worker/pacing_config.hpp"
#include "worker/redis_config.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace hive::wire {

std::span<const Named<History>> names_of(History);

} // namespace hive::wire

namespace hive::worker {

enum class InputType : std::uint8_t { automatic, scheduler, rabbitmq, redis_dataset, csv_dataset };
std::span<const Named<InputType>> names_of(InputType);

enum class OutputType : std::uint8_t { automatic, rabbitmq, redis, none };
std::span<const Named<OutputType>> names_of(OutputType);

struct QueueInput {
    std::uint32_t prefetch = 256;
    std::uint32_t max_attempts = 3;
    bool operator==(const QueueInput&) const = default;
};
void describe(FieldTable& fields, QueueInput& input);

struct QueueOutput {
    std::uint32_t window = 1024;
    bool persistent = true;
    bool direct = false;
    bool operator==(const QueueOutput&) const = default;
};
void describe(FieldTable& fields, QueueOutput& output);

struct Inputs {
    InputType type = InputType::automatic;
    bool hold = false;
    QueueInput rabbit{};
    SchedulerInput scheduler{};
    CsvInput csv{};
    RedisInput redis{};
    bool operator==(const Inputs&) const = default;
};
void describe(FieldTable& fields, Inputs& inputs);

struct Outputs {
    OutputType type = OutputType::automatic;
    QueueOutput rabbit{};
    RedisOutput redis{};
    bool operator==(const Outputs&) const = default;
};
void describe(FieldTable& fields, Outputs& outputs);

// The payload becomes what the template makes of it, before the bee works with it.
struct TemplatingConfig {
    std::string text{};
    bool operator==(const TemplatingConfig&) const = default;
};
void describe(FieldTable& fields, TemplatingConfig& config);

enum class UploadPhase : std::uint8_t { before, after };
std::span<const Named<UploadPhase>> names_of(UploadPhase);

// A copy of each item, before or after the bee's work; best effort.
struct UploaderConfig {
    UploadPhase phase = UploadPhase::after;
    RedisOutput output{};
    bool operator==(const UploaderConfig&) const = default;
};
void describe(FieldTable& fields, UploaderConfig& config);

struct InterceptorConfig {
    std::optional<TemplatingConfig> templating{};
    std::optional<UploaderConfig> redis_uploader{};
    bool operator==(const InterceptorConfig&) const = default;
};
void describe(FieldTable& fields, InterceptorConfig& config);

// What every bee can be told about the way of its items.
struct FlowConfig {
    Inputs inputs{};
    Outputs outputs{};
    InterceptorConfig interceptors{};
    wire::HistoryPolicy history{};
    json::object vars{};
    SequenceServer redis{};
    std::optional<std::uint64_t> seed{};
};
void describe(FieldTable& fields, FlowConfig& config);

} // namespace hive::worker
