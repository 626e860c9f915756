#include "worker/redis_config.hpp"

#include <array>

namespace hive::redis {

std::span<const Named<Pick>> names_of(Pick) {
    static constexpr std::array names{
        Named<Pick>{"ROUND_ROBIN", Pick::round_robin},
        Named<Pick>{"WEIGHTED_RANDOM", Pick::weighted_random}};
    return names;
}

std::span<const Named<ListWriter::End>> names_of(ListWriter::End) {
    using End = ListWriter::End;
    static constexpr std::array names{
        Named<End>{"RPUSH", End::right}, Named<End>{"LPUSH", End::left}};
    return names;
}

} // namespace hive::redis

namespace hive::worker {
namespace {

void describe_server(FieldTable& fields, redis::Server& server) {
    fields.add("host", server.host).fixed().help("Of the Redis server");
    fields.add("port", server.port).fixed().range(1, 65'535);
    fields.add("username", server.username).fixed().help("Empty: the default user");
    fields.add("password", server.password).fixed().help("Empty: none");
    fields.add("ssl", server.tls).fixed().help("Whether to speak TLS");
    fields.add("sslVerify", server.verify)
        .fixed()
        .help("Whether the server's certificate is checked");
    fields.add("caFile", server.ca_file)
        .fixed()
        .help("PEM file of trusted authorities; none: the machine's");
}

} // namespace

std::span<const Named<SourceStep>> names_of(SourceStep) {
    static constexpr std::array names{
        Named<SourceStep>{"FIRST", SourceStep::first}, Named<SourceStep>{"LAST", SourceStep::last}};
    return names;
}

void describe(FieldTable& fields, RedisSource& source) {
    fields.add("listName", source.list).required().help("A list to take elements from");
    fields.add("weight", source.weight)
        .range(1e-6, 1e6)
        .help("How often it is picked, compared with the others");
}

void describe(FieldTable& fields, SequenceServer& config) {
    fields.add("enabled", config.enabled)
        .help("Whether sequences in templates are shared in Redis; else each bee has its own");
    describe_server(fields, config.server);
}

void describe(FieldTable& fields, RedisInput& input) {
    describe_server(fields, input.server);
    fields.add("listName", input.list).fixed().help("The list to take elements from, at its head");
    fields.add("sources", input.sources).fixed().at_most(1000).help("Instead: several lists");
    fields.add("pickStrategy", input.pick).help("Which of several lists is next");
    fields.add("initialDelayMs", input.initial_delay)
        .help("How long after it is first enabled the bee waits with the first element");
    fields.add("prefetch", input.prefetch)
        .range(1, 65'535)
        .help("How many elements are taken from the server ahead of need");
    describe(fields, input.pace);
}

Status check(const RedisInput& input) {
    if (input.list.empty() == input.sources.empty()) {
        return fail(Errc::invalid, "exactly one of redis.listName and redis.sources is needed");
    }
    return {};
}

void describe(FieldTable& fields, RedisRoute& route) {
    fields.add("match", route.match).help("A pattern that must be found in the payload");
    fields.add("header", route.header).help("A header that headerMatch is looked for in");
    fields.add("headerMatch", route.header_match)
        .help("A pattern that must be found in the header");
    fields.add("list", route.list).required().help("Where items that match go");
    fields.rule([&route]() -> Status {
        if (route.header.empty() != route.header_match.empty()) {
            return fail(Errc::invalid, "header and headerMatch go together");
        }
        if (!route.match.empty() || !route.header.empty()) return {};
        return fail(Errc::invalid, "a route needs match, or header and headerMatch");
    });
}

void describe(FieldTable& fields, RedisOutput& output) {
    describe_server(fields, output.server);
    fields.add("sourceStep", output.source_step)
        .help("Whether the payload of the item's FIRST step is pushed or of its LAST");
    fields.add("pushDirection", output.push_direction).help("At which end of the list");
    fields.add("routes", output.routes).at_most(1000).help("The first that matches counts");
    fields.add("targetListTemplate", output.target_list_template)
        .rendered()
        .help("A template of the list's name, when no route matches");
    fields.add("defaultList", output.default_list).help("The list for everything else");
    fields.add("maxLen", output.max_len)
        .range(-1, 1'000'000'000)
        .help("Of each list: beyond it the oldest elements go; -1: no limit");
    fields.add("window", output.window)
        .range(1, 65'535)
        .help("How many items may be under way to the server without its confirmation");
}

} // namespace hive::worker
