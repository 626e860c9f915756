#include "worker/dataset_config.hpp"

#include <array>
#include <optional>

namespace hive::csv {

std::span<const Named<Charset>> names_of(Charset) {
    static constexpr std::array names{
        Named<Charset>{"UTF-8", Charset::utf8}, Named<Charset>{"utf-8", Charset::utf8},
        Named<Charset>{"ISO-8859-1", Charset::latin1}, Named<Charset>{"latin1", Charset::latin1}};
    return names;
}

} // namespace hive::csv

namespace hive::worker {
namespace {

constexpr double day_seconds = 86'400;

// One character, or how people write one that is hard to type or special in a pattern.
std::optional<char> delimiter_of(std::string_view text) {
    if (text == "\\t" || text == "TAB") return '\t';
    if (text == "\\|") return '|';
    if (text.size() != 1) return std::nullopt;
    return text.front();
}

} // namespace

void describe(FieldTable& fields, CsvInput& input) {
    fields.add("filePath", input.file_path).fixed().help("The file, where the bee runs");
    fields.add("rotate", input.rotate).help("After the last row begin again with the first");
    fields.add("skipHeader", input.skip_header)
        .help("Whether the first row names the columns; otherwise they are col0, col1, ...");
    fields.add("delimiter", input.delimiter)
        .expected("one character, such as ',', ';' or '\\t'")
        .check([](const std::string& text) -> Status {
            const auto delimiter = delimiter_of(text);
            if (!delimiter) return fail(Errc::invalid, {});
            return csv::check({.delimiter = *delimiter});
        })
        .help("What stands between two columns");
    fields.add("charset", input.charset).help("Of the file");
    fields.add("startupDelaySeconds", input.startup_delay_seconds)
        .range(0, day_seconds)
        .unit("s")
        .help("How long after it is first enabled the bee waits with the first row");
    describe(fields, input.pace);
}

csv::Table::Options table_of(const CsvInput& input) {
    return {
        .path = input.file_path.text,
        .rules = {.delimiter = delimiter_of(input.delimiter).value_or(',')},
        .charset = input.charset,
        .header = input.skip_header};
}

} // namespace hive::worker
