#include "cli/server_config.hpp"

#include "kernel/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace hive::cli {
namespace {

std::function<Status(const Url&)> scheme_is_one_of(std::vector<std::string_view> schemes) {
    return [schemes = std::move(schemes)](const Url& url) -> Status {
        if (std::ranges::find(schemes, url.scheme()) != schemes.end()) return {};
        return fail(Errc::invalid, fmt::format("expected {}://...", fmt::join(schemes, ":// or ")));
    };
}

} // namespace

void declare_server_options(OptionTable& table, ServerConfig& config) {
    table.add_flag("config", config.config_file)
        .letter('c')
        .env("HIVE_CONFIG")
        .help("YAML file with any of the settings below");
    table.add("http.listen", config.listen)
        .flag("listen")
        .value_name("ADDRESS")
        .help("address to listen on; 0.0.0.0 is every interface");
    table.add("http.port", config.port)
        .flag("port")
        .letter('p')
        .range(1, 65535)
        .help("port of the dashboard and the API");
    table.add("data.dir", config.data).flag("data").help("directory for everything the hive keeps");
    table.add("broker.url", config.broker)
        .flag("broker")
        .expected("a URL like amqp://user:{env:PASSWORD}@host:5672/vhost")
        .check(scheme_is_one_of({"amqp", "amqps"}))
        .help("RabbitMQ to use; without it the bus is in memory");
    table.add("store.url", config.store)
        .flag("store")
        .expected("a URL like postgres://user:{env:PASSWORD}@host/database")
        .check(scheme_is_one_of({"postgres", "postgresql"}))
        .help("PostgreSQL to use; without it the store is SQLite in the data directory");
    table.add("log.level", config.log_level)
        .value_name("LEVEL")
        .expected("a level like info, or info,bus=debug")
        .check([](const std::string& spec) { return check_log_levels(spec); })
        .suggests({"trace", "debug", "info", "warn", "error", "off"})
        .help("how much to log; info,bus=debug sets an area apart");
    table.add("log.format", config.log_format)
        .help("log lines for people or for machines; without it, people on a terminal");
}

} // namespace hive::cli
