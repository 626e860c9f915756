#include "cli/reach.hpp"

#include <initializer_list>

namespace hive::cli {
namespace {

bool typed(const Call& call, std::string_view flag) {
    const Option* option = call.self.options.find_flag(flag);
    return option != nullptr && option->source.kind == ValueSource::Kind::flag;
}

// Only what was typed: HIVE_SERVER may well be set where --data is used once.
Status check_one_way(const Call& call) {
    for (const std::string_view flag : {"server", "key", "profile"}) {
        if (!typed(call, flag)) continue;
        return fail(
            Errc::invalid, "--" + std::string{flag} +
                               " asks a server and --data or --store goes to the files "
                               "themselves; choose one");
    }
    return {};
}

Result<Reached> reach_store(const ReachConfig& config, const Call& call, StoreUse use) {
    if (auto ok = check_one_way(call); !ok) return fail(ok.error());
    auto hive = HiveId::parse(config.hive);
    if (!hive) return fail(hive.error());
    const std::string data = config.data ? config.data->text : ".hive";
    auto opened = LocalHive::open(
        {.store = {data, config.store}, .hive = std::move(*hive)}, use, call.host.clock);
    if (!opened) return fail(opened.error());
    return Reached{std::move(*opened)};
}

} // namespace

void declare_reach_options(OptionTable& table, ReachConfig& config) {
    declare_client_options(table, config.client);
    table.add_flag("data", config.data)
        .help("work on the hive in this directory, without its server");
    table.add_flag("store", config.store)
        .expected("a URL like postgres://user:{env:PASSWORD}@host/database")
        .check([](const Url& url) -> Status {
            if (url.scheme() == "postgres" || url.scheme() == "postgresql") return {};
            return fail(Errc::invalid, "expected postgres://...");
        })
        .help("work on the hive in this PostgreSQL, without its server");
    table.add_flag("hive", config.hive)
        .value_name("ID")
        .help("which hive of the store, with --data or --store");
}

Result<Reached> reach(const ReachConfig& config, const Call& call, StoreUse use) {
    if (config.local()) return reach_store(config, call, use);
    auto connection = resolve_connection(config.client, call.host);
    if (!connection) return fail(connection.error());
    auto client = ServerClient::open(std::move(*connection));
    if (!client) return fail(client.error());
    return Reached{std::move(*client)};
}

} // namespace hive::cli
