#include "cli/broker.hpp"

#include "bus/rabbitmq/connect.hpp"

#include <filesystem>
#include <system_error>

namespace hive::cli {

Result<Connect> connect_to(const Url& broker, const Logger& log) {
    auto endpoint = bus::rabbitmq::parse_endpoint(broker.reveal());
    if (!endpoint) return fail(Errc::invalid, "broker.url: " + endpoint.error().detail);
    return Connect{[endpoint = *std::move(endpoint),
                    log = log.for_area("bus")](const bus::Grants&, const std::string& name) {
        // Rights are the broker's to keep.
        return bus::rabbitmq::connect(
            {.endpoint = endpoint,
             .name = name,
             .on_notice = [log](std::string_view notice) { log.warn(notice); }},
            [log, name, was_open = false](bus::Link link, std::string_view why) mutable {
                // Who never came in says so by an error, in one sentence.
                was_open = was_open || link == bus::Link::up;
                if (!was_open) return;
                log.info(
                    "broker", {{"party", name}, {"link", bus::name_of(link)}, {"reason", why}});
            });
    }};
}

std::map<std::string, std::string>
inherited_environment(const Inheritance& inheritance, const ComponentConfig& config) {
    auto environment = environment_of(config);
    environment["HIVE_BROKER_URL"] = inheritance.broker;
    environment["HIVE_DATA_DIR"] = inheritance.data;
    environment["HIVE_LOG_LEVEL"] = inheritance.log_level;
    return environment;
}

std::string whole_path(const std::string& directory) {
    std::error_code error;
    auto path = std::filesystem::absolute(directory, error);
    return error ? directory : path.lexically_normal().string();
}

std::string own_program() {
    std::error_code error;
    auto path = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? "hive" : path.string();
}

} // namespace hive::cli
