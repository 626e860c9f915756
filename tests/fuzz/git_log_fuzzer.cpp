// Whatever git prints, and whatever stands in names of files there: times that are times.
#include "colony/files/git/git_log.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view log{reinterpret_cast<const char*>(data), size};
    for (const auto& [path, time] : hive::colony::files::git::times_in(log)) {
        if (path.size() > size || time <= hive::Timestamp{}) std::abort();
    }
    return 0;
}
