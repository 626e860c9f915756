// A config file from anywhere gives settings or findings, never a crash, and no finding that could
// not be shown: what is found is printed as for a person and as JSON.
#include "kernel/config_load.hpp"
#include "kernel/finding.hpp"
#include "kernel/json.hpp"
#include "kernel/text.hpp"

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace hive;

struct Settings {
    std::uint16_t port = 8080;
    std::int64_t offset = 0;
    bool tls = false;
    double ratio = 0.5;
    std::string name = "queen";
    Duration wait{};
    ByteSize room{};
    Address peer{};
    std::optional<Url> broker{};
    Secret password{};
    std::vector<int> weights{};
    std::map<std::string, std::string> labels{};
};

void declare(OptionTable& table, Settings& settings) {
    table.add("http.port", settings.port).range(1, 65535);
    table.add("http.tls.enabled", settings.tls);
    table.add("offset", settings.offset);
    table.add("load.ratio", settings.ratio).range(0, 1);
    table.add("name", settings.name);
    table.add("wait", settings.wait);
    table.add("room", settings.room);
    table.add("peer", settings.peer);
    table.add("broker.url", settings.broker);
    table.add("broker.password", settings.password);
    table.add("weights", settings.weights);
    table.add("labels", settings.labels);
}

void check_shown(std::span<const Finding> findings, std::string_view text) {
    const SourceText source{"f", text};
    const std::string shown = render(findings, {&source, 1});
    assert(!find_invalid_utf8(shown));
    for (const char c : shown) assert(static_cast<unsigned char>(c) >= ' ' || c == '\n');
    for (const Finding& finding : findings) {
        assert(!finding.code.empty() && !finding.message.empty());
        assert(finding.message.find('\n') == std::string::npos);
    }
    assert(parse_json(to_text(to_json(findings)), {.bytes = std::size_t{16} << 20U}).has_value());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    Settings settings;
    OptionTable table;
    declare(table, settings);
    const auto findings = load_config(
        table, {.file = SourceText{"f", text},
                .secrets = {.env = [](const std::string&) { return std::optional{"x"}; }}});
    check_shown(findings, text);
    for (const auto& [name, value, where] : explain(table)) assert(!name.empty() && !where.empty());
    return 0;
}
