#include "tests/contract/runtime/process_site.hpp"
#include "tests/support/places.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace hive::contract {

std::string content_of(const std::string& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}

std::unique_ptr<runtime::Runtime> ProcessSite::open(runtime::process::Options options) {
    auto made = runtime::process::make_runtime(
        std::move(options), clock_, Logger{capture_, clock_, levels_, "runtime"});
    if (!made) throw std::runtime_error(made.error().detail);
    return std::move(*made);
}

runtime::process::Options ProcessSite::options() const {
    return {.program = hive::tests::in_build("tests/runtime_component"), .directory = directory()};
}

std::string ProcessSite::log_of(const runtime::Name& name) const {
    return fmt::format("{}/logs/{}/{}.log", directory(), name.swarm.text(), name.instance.text());
}

std::string ProcessSite::record_of(const runtime::Name& name) const {
    return fmt::format("{}/run/{}/{}.json", directory(), name.swarm.text(), name.instance.text());
}

bool ProcessSite::is_settled(const runtime::Name& name) {
    return content_of(log_of(name)).find("ready\n") != std::string::npos;
}

std::string ProcessSite::saying_of(const runtime::Name& name) {
    const std::string log = content_of(log_of(name));
    const std::size_t at = log.find("SAYING=");
    return at == std::string::npos ? "" : log.substr(at + 7, log.find('\n', at) - at - 7);
}

std::unique_ptr<Place> make_place() {
    return std::make_unique<ProcessSite>();
}

} // namespace hive::contract
