#include "bees/postprocessor/json_lines.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace hive::bees {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_bytes = std::size_t{64} << 10U;
constexpr std::uint64_t smallest_file = 4096;
constexpr std::uint32_t keep_max = 1000;

} // namespace

void describe(FieldTable& fields, JsonLinesConfig& config) {
    fields.add("path", config.path).help("The file that each call is a line of; none: no file");
    fields.add("maxBytes", config.bytes_max)
        .range({smallest_file}, {std::uint64_t{1} << 50U})
        .help("A longer file is put aside and a new one begun");
    fields.add("keep", config.keep)
        .range(0, keep_max)
        .help("How many of those that were put aside stay");
}

Result<std::unique_ptr<JsonLines>> JsonLines::open(JsonLinesConfig config) {
    std::unique_ptr<JsonLines> sink{new JsonLines{std::move(config)}};
    if (auto ok = sink->reopen(); !ok) return fail(ok.error());
    return sink;
}

JsonLines::~JsonLines() {
    flush();
}

Status JsonLines::reopen() {
    file_.reset(std::fopen(config_.path.c_str(), "ae"));
    if (!file_) {
        return fail(
            Errc::unavailable, fmt::format(
                                   "config.sinks.jsonLines.path: '{}' cannot be written: {}",
                                   config_.path, std::strerror(errno)));
    }
    (void)std::setvbuf(file_.get(), nullptr, _IONBF, 0);
    std::error_code error;
    const auto size = fs::file_size(config_.path, error);
    size_ = error ? 0 : size; // a pipe has none
    return {};
}

void JsonLines::rotate() {
    file_.reset();
    std::error_code error; // what cannot be moved is appended to
    const auto name = [&](std::uint32_t number) {
        return number == 0 ? config_.path : fmt::format("{}.{}", config_.path, number);
    };
    if (config_.keep == 0) {
        fs::remove(config_.path, error);
    } else {
        for (std::uint32_t i = config_.keep; i > 0; --i) fs::rename(name(i - 1), name(i), error);
    }
    ++rotations_;
    if (auto ok = reopen(); !ok) error_ = ok.error().detail;
}

void JsonLines::add(std::string_view row) {
    buffer_ += row;
    buffer_ += '\n';
    ++buffered_;
    if (buffer_.size() >= buffer_bytes) flush();
}

void JsonLines::flush() {
    if (buffer_.empty()) return;
    if (size_ > 0 && size_ + buffer_.size() > config_.bytes_max.bytes) rotate();
    if (!file_) (void)reopen(); // its failure is that of the write below
    const std::size_t wrote =
        file_ ? std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) : 0;
    size_ += wrote;
    if (wrote == buffer_.size()) {
        written_ += buffered_;
        error_.clear();
    } else {
        // Kept no longer: the next rows have the same fate, and memory is bounded.
        dropped_ += buffered_;
        error_ = fmt::format("'{}' cannot be written: {}", config_.path, std::strerror(errno));
    }
    buffer_.clear();
    buffered_ = 0;
}

void JsonLines::report(json::object& into) const {
    json::object own{
        {"path", config_.path},
        {"written", written_},
        {"dropped", dropped_},
        {"rotations", rotations_}};
    if (!error_.empty()) own["lastError"] = error_;
    into["jsonLines"] = std::move(own);
}

} // namespace hive::bees
