// Archives of any bytes: what is read has names that stay in a bundle, and can be written and read
// back as it is.
#include "scenario/tar.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

void demand(bool holds) {
    if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace hive::scenario;
    const auto files = read_tar({reinterpret_cast<const char*>(data), size});
    if (!files) return 0;
    for (const auto& [name, text] : *files) demand(check_file_name(name).has_value());
    if (files->empty()) return 0;
    const auto archive = write_tar(*files);
    // A name may be longer than the format wants to split it; nothing else is refused.
    if (archive) demand(read_tar(*archive) == files);
    (void)without_top_folder(*files);
    return 0;
}
