#include "csv/table.hpp"

#include "kernel/json.hpp"
#include "kernel/text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

namespace hive::csv {
namespace {

constexpr std::size_t block_bytes = std::size_t{64} << 10U;
constexpr int blocks_at_once = 16; // others on the same thread get their turn
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::string json_key(std::string_view name) {
    std::string out;
    append_json_string(out, name);
    return out + ':';
}

void append_latin1(std::string& out, std::string_view text) {
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        if (byte < 0x80U) {
            out += each;
        } else {
            out += static_cast<char>(0xc0U | (byte >> 6U));
            out += static_cast<char>(0x80U | (byte & 0x3fU));
        }
    }
}

} // namespace

Result<std::unique_ptr<Table>> Table::open(Options options) {
    if (auto ok = check(options.rules); !ok) return fail(ok.error());
    // Not blocking: a pipe without a writer would hold up whoever opens it.
    const int file = ::open(options.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        const Errc code = errno == ENOENT ? Errc::not_found : Errc::unavailable;
        return fail(
            code, fmt::format("cannot open {}: {}", printable(options.path), std::strerror(errno)));
    }
    std::unique_ptr<Table> table{new Table{std::move(options), file}};
    struct stat about{};
    if (::fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) {
        return fail(
            Errc::invalid, fmt::format("{} is no regular file", printable(table->options_.path)));
    }
    ::posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);
    if (auto ok = table->read_header(); !ok) return fail(ok.error());
    return table;
}

Table::Table(Options options, int file)
    : options_{std::move(options)}, file_{file}, reader_{options_.rules} {}

Table::~Table() {
    ::close(file_);
}

Status Table::read_header() {
    if (!options_.header) return {};
    for (;;) {
        const auto found = next();
        if (!found) return fail(found.error());
        if (*found == Found::nothing_yet) continue; // bounded by the longest row
        if (*found == Found::row) break;
        return fail(
            Errc::invalid, fmt::format(
                               "{} has no header that could be used: {}", printable(options_.path),
                               *found == Found::end ? "it is empty" : problem_));
    }
    std::set<std::string, std::less<>> seen;
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < reader_.columns(); ++i) {
        std::string name{column(i)};
        if (name.empty()) name = fmt::format("col{}", i);
        if (!seen.insert(name).second) {
            return fail(
                Errc::invalid, fmt::format(
                                   "the header of {} has two columns '{}'",
                                   printable(options_.path), printable(name)));
        }
        keys.push_back(json_key(name));
    }
    keys_ = std::move(keys);
    row_ = 0;
    return {};
}

Status Table::fill() {
    block_.resize(block_bytes);
    ssize_t got = -1;
    do {
        got = ::read(file_, block_.data(), block_.size());
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return fail(
            Errc::unavailable,
            fmt::format("cannot read {}: {}", printable(options_.path), std::strerror(errno)));
    }
    rest_ = std::string_view{block_}.substr(0, static_cast<std::size_t>(got));
    if (!begun_ && rest_.starts_with(byte_order_mark)) rest_.remove_prefix(3);
    begun_ = true;
    at_end_ = got == 0;
    return {};
}

Result<Table::Found> Table::next() {
    if (reader_.progress() != Reader::Progress::more) reader_.next();
    for (int blocks = 0; blocks < blocks_at_once; ++blocks) {
        if (rest_.empty() && !at_end_) {
            if (auto ok = fill(); !ok) return fail(ok.error());
        }
        if (at_end_) reader_.end();
        rest_.remove_prefix(reader_.feed(rest_));
        if (reader_.progress() != Reader::Progress::more) return judged();
        if (at_end_) return Found::end;
    }
    return Found::nothing_yet;
}

Table::Found Table::judged() {
    ++row_;
    if (reader_.progress() == Reader::Progress::bad) {
        problem_ = reader_.problem();
        return Found::bad_row;
    }
    if (options_.header && !keys_.empty() && reader_.columns() != keys_.size()) {
        problem_ =
            fmt::format("the row has {} columns, the header {}", reader_.columns(), keys_.size());
        return Found::bad_row;
    }
    if (!convert()) {
        problem_ = "the row is not valid UTF-8; if the file is in Latin-1, set the charset";
        return Found::bad_row;
    }
    if (!options_.header) {
        while (keys_.size() < reader_.columns()) {
            keys_.push_back(json_key(fmt::format("col{}", keys_.size())));
        }
    }
    return Found::row;
}

// Whether all of the row is text.
bool Table::convert() {
    if (options_.charset == Charset::utf8) {
        for (std::size_t i = 0; i < reader_.columns(); ++i) {
            if (find_invalid_utf8(reader_.column(i))) return false;
        }
        return true;
    }
    columns_.resize(std::max(columns_.size(), reader_.columns()));
    for (std::size_t i = 0; i < reader_.columns(); ++i) {
        columns_[i].clear();
        append_latin1(columns_[i], reader_.column(i));
    }
    return true;
}

std::string_view Table::column(std::size_t index) const {
    return options_.charset == Charset::utf8 ? reader_.column(index) : columns_[index];
}

void Table::append_json(std::string& out) const {
    out += '{';
    for (std::size_t i = 0; i < reader_.columns(); ++i) {
        if (i > 0) out += ',';
        out += keys_[i];
        append_json_string(out, column(i));
    }
    out += '}';
}

Status Table::rewind() {
    if (::lseek(file_, 0, SEEK_SET) != 0) {
        return fail(
            Errc::unavailable,
            fmt::format("cannot rewind {}: {}", printable(options_.path), std::strerror(errno)));
    }
    reader_ = Reader{options_.rules};
    rest_ = {};
    at_end_ = false;
    begun_ = false;
    row_ = 0;
    keys_.clear();
    return read_header();
}

} // namespace hive::csv
