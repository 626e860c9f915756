#include "importer/bundle_text.hpp"
#include "importer/curl.hpp"
#include "kernel/yaml.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace hive;
using namespace hive::importer;

// Whatever is accepted becomes files that can be read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto draft = read_curl({reinterpret_cast<const char*>(data), size});
    if (!draft) {
        assert(!draft.error().detail.empty());
        return 0;
    }
    assert(!draft->calls.empty() && draft->calls.size() <= calls_max);
    for (const auto& [name, text] : bundle_of(*draft, {.id = "x", .origin = "Fuzzed."})) {
        const YamlDocument document = parse_yaml(name, text, {.bytes = std::size_t{256} << 20U});
        assert(document.findings.empty());
    }
    return 0;
}
