#include "csv/reader.hpp"

namespace hive::csv {

Status check(const Rules& rules) {
    const char byte = rules.delimiter;
    if (byte == '"' || byte == '\n' || byte == '\r' || byte == '\0' || byte == ' ') {
        return fail(
            Errc::invalid, "the delimiter cannot be a quote, a blank or a line end; use ',', ';', "
                           "'|' or a tab");
    }
    if ((static_cast<unsigned char>(byte) & 0x80U) != 0) {
        return fail(Errc::invalid, "the delimiter must be one ASCII character");
    }
    return {};
}

Reader::Reader(Rules rules) : rules_{rules} {
    for (const char byte : {rules_.delimiter, '"', '\n', '\r'}) {
        special_[static_cast<unsigned char>(byte)] = true;
    }
}

std::string_view Reader::column(std::size_t index) const noexcept {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view{text_}.substr(begin, ends_[index] - begin);
}

void Reader::next() {
    progress_ = Progress::more;
    state_ = State::row;
    text_.clear();
    ends_.clear();
    field_begin_ = 0;
}

std::size_t Reader::feed(std::string_view bytes) {
    std::size_t used = 0;
    while (used < bytes.size() && progress_ == Progress::more) {
        used += run(bytes.substr(used));
        if (used == bytes.size() || progress_ != Progress::more) break;
        const char byte = bytes[used++];
        count_line(byte);
        step(byte);
    }
    return used;
}

// Bytes that mean nothing but themselves, all at once. None of them is or ends a line end.
std::size_t Reader::run(std::string_view bytes) {
    std::size_t length = 0;
    if (state_ == State::plain || state_ == State::skipping) {
        while (length < bytes.size() && !special_[static_cast<unsigned char>(bytes[length])]) {
            ++length;
        }
    } else if (state_ == State::quoted) {
        while (length < bytes.size() && bytes[length] != '"' && !ends_line(bytes[length])) {
            ++length;
        }
    }
    if (length == 0) return 0;
    carriage_ = false;
    if (state_ != State::skipping) add(bytes.substr(0, length));
    return length;
}

void Reader::count_line(char byte) {
    if (byte == '\n' && carriage_) return; // counted
    if (ends_line(byte)) ++line_;
}

void Reader::step(char byte) {
    const bool second_half = byte == '\n' && carriage_;
    carriage_ = byte == '\r';
    if (state_ == State::row) {
        if (second_half || ends_line(byte)) return;
        row_line_ = line_;
        state_ = State::field;
    }
    switch (state_) {
    case State::row: return;
    case State::field: return step_field(byte);
    case State::plain:
        if (byte == '"') return bad("a quote in a field that does not begin with one");
        if (byte == rules_.delimiter) return end_field();
        if (ends_line(byte)) return end_row();
        return add({&byte, 1});
    case State::quoted:
        if (byte == '"')
            state_ = State::quote;
        else
            add({&byte, 1});
        return;
    case State::quote:
    case State::behind: return step_quote(byte);
    case State::skipping:
        if (ends_line(byte)) progress_ = Progress::bad;
        return;
    }
}

void Reader::step_field(char byte) {
    if (byte == rules_.delimiter) return end_field();
    if (ends_line(byte)) return end_row();
    if (blank(byte)) return;
    if (byte == '"') {
        state_ = State::quoted;
        return;
    }
    state_ = State::plain;
    add({&byte, 1});
}

void Reader::step_quote(char byte) {
    if (byte == '"' && state_ == State::quote) {
        state_ = State::quoted;
        return add({&byte, 1});
    }
    if (byte == rules_.delimiter) return end_field();
    if (ends_line(byte)) return end_row();
    if (!blank(byte)) return bad("text behind the closing quote of a field");
    state_ = State::behind;
}

void Reader::add(std::string_view bytes) {
    if (text_.size() + bytes.size() > rules_.row_bytes_max) {
        return bad("the row is too long; perhaps a quote is never closed");
    }
    text_ += bytes;
}

void Reader::end_field() {
    if (state_ == State::plain) {
        while (text_.size() > field_begin_ && blank(text_.back())) text_.pop_back();
    }
    ends_.push_back(text_.size());
    field_begin_ = text_.size();
    state_ = State::field;
    if (ends_.size() > rules_.columns_max) bad("the row has too many columns");
}

void Reader::end_row() {
    end_field();
    if (state_ == State::field) {
        progress_ = Progress::row;
    } else {
        progress_ = Progress::bad; // its last field was one too many
    }
}

void Reader::bad(std::string_view problem) {
    problem_ = problem;
    state_ = State::skipping;
    ends_.clear();
    text_.clear();
}

void Reader::end() {
    if (progress_ != Progress::more) return;
    switch (state_) {
    case State::row: return;
    case State::quoted: bad("a quote is never closed"); [[fallthrough]];
    case State::skipping: progress_ = Progress::bad; return;
    case State::field:
    case State::plain:
    case State::quote:
    case State::behind: return end_row();
    }
}

} // namespace hive::csv
