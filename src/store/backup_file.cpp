#include "store/backup_file.hpp"

#include "kernel/append_format.hpp"
#include "kernel/overloaded.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

namespace hive::store {
namespace {

namespace fs = std::filesystem;

fs::path unfinished(const fs::path& path) {
    return path.string() + ".unfinished";
}

void append_hex(std::string& out, Blob bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    for (const std::byte byte : bytes) {
        out += digits[std::to_integer<unsigned>(byte >> 4U)];
        out += digits[std::to_integer<unsigned>(byte & std::byte{0xf})];
    }
}

void append_value(std::string& out, const Value& value) {
    std::visit(
        overloaded{
            [&](Null) { out += "null"; }, [&](bool truth) { out += truth ? '1' : '0'; },
            [&](std::int64_t whole) { append_format(out, "{}", whole); },
            [&](double real) { append_format(out, "{}", real); },
            [&](std::string_view text) { append_json_string(out, text); },
            [&](Blob bytes) {
                out += R"({"blob":")";
                append_hex(out, bytes);
                out += R"("})";
            }},
        value);
}

bool is_finite(const Value& value) {
    const double* real = std::get_if<double>(&value);
    return real == nullptr || std::isfinite(*real);
}

Status sync_directory(const fs::path& directory) {
    const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = fd >= 0 && ::fsync(fd) == 0;
    const int error = errno;
    if (fd >= 0) ::close(fd);
    if (synced) return {};
    return fail(
        Errc::unavailable,
        fmt::format("cannot sync directory '{}': {}", directory.string(), std::strerror(error)));
}

} // namespace

std::optional<std::string> from_hex(std::string_view text) {
    if (text.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        unsigned byte = 0;
        const char* end = text.data() + i + 2;
        if (std::from_chars(text.data() + i, end, byte, 16).ptr != end) return std::nullopt;
        bytes += static_cast<char>(byte);
    }
    return bytes;
}

Result<BackupWriter> BackupWriter::create(const fs::path& path) {
    if (fs::exists(path)) {
        return fail(
            Errc::conflict,
            fmt::format("'{}' exists; choose a new name for the backup", path.string()));
    }
    const int fd = ::open(
        unfinished(path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
    File file{fd >= 0 ? ::fdopen(fd, "w") : nullptr};
    if (!file) {
        return fail(
            errno == EACCES || errno == EROFS ? Errc::denied : Errc::unavailable,
            fmt::format("cannot create '{}': {}", path.string(), std::strerror(errno)));
    }
    return BackupWriter{std::move(file), path};
}

BackupWriter::BackupWriter(File file, fs::path path)
    : file_{std::move(file)}, path_{std::move(path)} {}

BackupWriter::~BackupWriter() {
    if (!file_) return;
    std::error_code ignored; // there may be nothing left to remove
    fs::remove(unfinished(path_), ignored);
}

void BackupWriter::line() {
    text_ += '\n';
    checksum_.add(text_);
    if (status_ && std::fwrite(text_.data(), 1, text_.size(), file_.get()) != text_.size()) {
        status_ = fail(
            Errc::unavailable,
            fmt::format("cannot write '{}': {}", path_.string(), std::strerror(errno)));
    }
    text_.clear();
}

void BackupWriter::header(std::int64_t schema) {
    text_ = fmt::format(R"({{"format":"{}","schema":{}}})", backup_format, schema);
    line();
}

void BackupWriter::table(const Table& table) {
    json::array columns;
    for (const auto& column : table.columns) columns.emplace_back(column);
    text_ = to_text(json::object{{"table", table.name}, {"columns", std::move(columns)}});
    line();
}

void BackupWriter::row(const Row& row) {
    text_ += '[';
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0) text_ += ',';
        append_value(text_, row.at(i));
        if (status_ && !is_finite(row.at(i))) {
            status_ = fail(Errc::invalid, "a row holds a number that is not finite");
        }
    }
    text_ += ']';
    if (status_ && text_.size() > backup_line_max) {
        status_ = fail(
            Errc::limit,
            fmt::format("a row is larger than the {} bytes of a backup line", backup_line_max));
    }
    line();
    ++rows_;
}

Status BackupWriter::status() const {
    return status_;
}

Status BackupWriter::finish() {
    text_ = fmt::format(R"({{"end":true,"rows":{},"checksum":"{}"}})", rows_, checksum_.text());
    line();
    if (!status_) return status_;
    if (std::fflush(file_.get()) != 0 || ::fsync(::fileno(file_.get())) != 0 ||
        ::rename(unfinished(path_).c_str(), path_.c_str()) != 0) {
        return fail(
            Errc::unavailable,
            fmt::format("cannot finish '{}': {}", path_.string(), std::strerror(errno)));
    }
    file_.reset();
    return sync_directory(fs::absolute(path_).parent_path());
}

Result<BackupReader> BackupReader::open(const fs::path& path) {
    File file{std::fopen(path.c_str(), "re")};
    if (!file) {
        return fail(
            errno == ENOENT ? Errc::not_found : Errc::denied,
            fmt::format("cannot read '{}': {}", path.string(), std::strerror(errno)));
    }
    BackupReader reader{std::move(file)};
    const auto header = reader.line();
    if (!header) return fail(header.error());
    const auto* object = header->if_object();
    const auto* format = object != nullptr ? object->if_contains("format") : nullptr;
    const auto* schema = object != nullptr ? object->if_contains("schema") : nullptr;
    if (format == nullptr || *format != json::string{backup_format} || schema == nullptr ||
        !schema->is_int64() || schema->get_int64() < 1) {
        return fail(
            Errc::invalid,
            fmt::format("'{}' is not a backup of the form {}", path.string(), backup_format));
    }
    reader.schema_ = schema->get_int64();
    return reader;
}

Error BackupReader::damaged(std::string_view what) const {
    return {Errc::invalid, fmt::format("the backup is damaged at line {}: {}", lines_, what)};
}

Result<json::value> BackupReader::line() {
    checksum_.add(text_);
    text_.clear();
    ++lines_;
    for (int c = std::fgetc(file_.get());; c = std::fgetc(file_.get())) {
        if (c == EOF) return fail(damaged("it ends here, before its last line"));
        text_ += static_cast<char>(c);
        if (c == '\n') break;
        if (text_.size() > backup_line_max) return fail(damaged("the line is too long"));
    }
    constexpr std::size_t depth = 4;
    auto value = parse_json(
        std::string_view{text_}.substr(0, text_.size() - 1),
        {.bytes = backup_line_max, .depth = depth});
    if (!value) return fail(damaged(value.error().detail));
    return value;
}

Result<std::variant<Table, BackupRow, BackupEnd>> BackupReader::next() {
    auto value = line();
    if (!value) return fail(value.error());
    if (auto* columns = value->if_array()) {
        ++rows_;
        return BackupRow{std::move(*columns)};
    }
    const auto* object = value->if_object();
    if (object != nullptr && object->contains("table")) {
        auto found = table(*object);
        if (!found) return fail(found.error());
        return std::move(*found);
    }
    if (object != nullptr && object->contains("end")) {
        if (auto ok = check_end(*object); !ok) return fail(ok.error());
        return BackupEnd{};
    }
    return fail(damaged("neither a table, a row nor the end"));
}

Result<Table> BackupReader::table(const json::object& object) const {
    const auto* name = object.at("table").if_string();
    const auto* columns = object.contains("columns") ? object.at("columns").if_array() : nullptr;
    if (name == nullptr || columns == nullptr || columns->empty()) {
        return fail(damaged("a table needs a name and columns"));
    }
    Table table{.name = std::string{*name}};
    for (const auto& column : *columns) {
        if (!column.is_string()) return fail(damaged("a column needs a name"));
        table.columns.emplace_back(column.get_string());
    }
    return table;
}

Status BackupReader::check_end(const json::object& object) const {
    const auto* checksum = object.if_contains("checksum");
    const auto* rows = object.if_contains("rows");
    if (checksum == nullptr || rows == nullptr || *checksum != json::string{checksum_.text()} ||
        *rows != rows_) {
        return fail(damaged("checksum and number of rows do not fit the lines before"));
    }
    if (std::fgetc(file_.get()) != EOF) return fail(damaged("something follows its last line"));
    return {};
}

} // namespace hive::store
