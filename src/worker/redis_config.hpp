#pragma once

#include "kernel/fields.hpp"
#include "redis/list_reader.hpp"
#include "redis/list_writer.hpp"
#include "worker/pacing_config.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hive::redis {

std::span<const Named<Pick>> names_of(Pick);
std::span<const Named<ListWriter::End>> names_of(ListWriter::End);

} // namespace hive::redis

namespace hive::worker {

struct RedisSource {
    std::string list{};
    double weight = 1;
    bool operator==(const RedisSource&) const = default;
};
void describe(FieldTable& fields, RedisSource& source);

// Where the sequences of templates are counted.
struct SequenceServer {
    bool enabled = false; // else each bee counts for itself
    redis::Server server{};
    bool operator==(const SequenceServer&) const = default;
};
void describe(FieldTable& fields, SequenceServer& config);

// An element of a list for each item.
struct RedisInput {
    SchedulerInput pace{};
    redis::Server server{};
    std::string list{};
    std::vector<RedisSource> sources{};
    redis::Pick pick = redis::Pick::round_robin;
    Duration initial_delay{};
    std::uint32_t prefetch = 512;
    bool operator==(const RedisInput&) const = default;
};
void describe(FieldTable& fields, RedisInput& input);
Status check(const RedisInput& input); // for a bee that uses it

enum class SourceStep : std::uint8_t { first, last };
std::span<const Named<SourceStep>> names_of(SourceStep);

// Every pattern that is there must be found.
struct RedisRoute {
    std::string match{}; // in the payload
    std::string header{};
    std::string header_match{};
    std::string list{};
    bool operator==(const RedisRoute&) const = default;
};
void describe(FieldTable& fields, RedisRoute& route);

struct RedisOutput {
    redis::Server server{};
    SourceStep source_step = SourceStep::last;
    redis::ListWriter::End push_direction = redis::ListWriter::End::right;
    std::vector<RedisRoute> routes{};
    std::string target_list_template{};
    std::string default_list{};
    std::int64_t max_len = -1;
    std::uint32_t window = 1024;
    bool operator==(const RedisOutput&) const = default;
};
void describe(FieldTable& fields, RedisOutput& output);

} // namespace hive::worker
