#include "cli/probe_store.hpp"

#include "cli/probes.hpp"
#include "store/migration.hpp"

#include <fmt/format.h>

namespace hive::cli {

std::int64_t known_schema() {
    return static_cast<std::int64_t>(store::migrations().size());
}

Check check_schema(const std::string& where, std::int64_t version) {
    const std::int64_t known = known_schema();
    if (version > known) {
        return {
            .name = "store",
            .health = Health::missing,
            .message = fmt::format(
                "{} is at schema version {}, this program knows versions up to {}", where, version,
                known),
            .remedy = "start the newer program, or restore a backup made by this one"};
    }
    if (version == known) {
        return {.name = "store", .message = fmt::format("{}, schema version {}", where, version)};
    }
    if (version == 0) {
        return {
            .name = "store",
            .health = Health::note,
            .message = fmt::format("{} is empty; the server makes its tables", where)};
    }
    return {
        .name = "store",
        .health = Health::note,
        .message = fmt::format("{} is at schema version {} of {}", where, version, known),
        .remedy = "the server brings it up when it starts: make a backup first with hive store "
                  "backup"};
}

Check check_store(const std::optional<Url>& url, const std::string& data, Duration within) {
    return url ? check_postgres(*url, within) : check_sqlite(data, within);
}

} // namespace hive::cli
