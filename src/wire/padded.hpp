#pragma once

#include "kernel/result.hpp"

#include <simdjson.h>

#include <memory>
#include <string_view>

namespace hive::wire {

// Parses one document with what the thread keeps for that: a parser and a buffer with the padding
// simdjson needs. Documents too large to keep memory for get their own. One at a time per thread.
class PaddedParser {
public:
    explicit PaddedParser(std::string_view text);
    PaddedParser(PaddedParser&&) = delete;
    PaddedParser& operator=(PaddedParser&&) = delete;
    ~PaddedParser();

    Result<simdjson::dom::element> root(); // valid as long as this object

private:
    struct Memory;
    static Memory& kept();

    std::string_view text_;
    std::unique_ptr<Memory> own_;
};

} // namespace hive::wire
