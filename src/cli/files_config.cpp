#include "cli/files_config.hpp"

#include "colony/files/merge.hpp"
#include "colony/files/zone.hpp"

namespace hive::cli {

using namespace std::chrono_literals;

void declare_files_options(OptionTable& table, FilesConfig& config) {
    table.add("colony.files.root", config.root)
        .flag("deia")
        .help(".deia directory to keep in step; `hive up` takes the one beside it");
    table.add("colony.files.policy", config.sync.policy)
        .value_name("POLICY")
        .suggests({"last-write", "files-win", "api-win"})
        .check([](const std::string& text) -> Status {
            auto policy = colony::files::parse_policy(text);
            return policy ? Status{} : fail(policy.error());
        })
        .help("whose value stays when a file and the colony changed the same field");
    table.add("colony.files.zone", config.sync.zone)
        .value_name("ZONE")
        .check([](const std::string& text) -> Status {
            auto zone = colony::files::Zone::parse(text);
            return zone ? Status{} : fail(zone.error());
        })
        .help("what times in file names and headers mean that say no zone");
    table.add("colony.files.lease", config.sync.lease)
        .range(1s, 24h)
        .help("how long a claim by file lasts without a sign of its bee");
    table.add("colony.files.scan-every", config.sync.scan_every)
        .range(1s, 24h)
        .help("how often all files are looked at, besides watching them");
    table.add("colony.files.keep-versions", config.sync.keep_versions)
        .range(1h, 24h * 3650)
        .help("how long the bytes of old versions of files are kept in the database");
}

} // namespace hive::cli
