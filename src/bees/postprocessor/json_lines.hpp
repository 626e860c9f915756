#pragma once

#include "bees/postprocessor/outcome_sink.hpp"
#include "kernel/fields.hpp"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace hive::bees {

struct JsonLinesConfig {
    std::string path{}; // empty: no such file
    ByteSize bytes_max{std::uint64_t{256} << 20U};
    std::uint32_t keep = 4;
    bool operator==(const JsonLinesConfig&) const = default;
};
void describe(FieldTable& fields, JsonLinesConfig& config);

// A row a line in a file. A file that is full becomes `<path>.1`, that one `<path>.2`, and so on.
class JsonLines final : public OutcomeSink {
public:
    static Result<std::unique_ptr<JsonLines>> open(JsonLinesConfig config);
    ~JsonLines() override;

    void add(std::string_view row) override;
    void flush() override;
    void each_second() override { flush(); } // a reader is at most this far behind
    bool healthy() const override { return error_.empty(); }
    void report(json::object& into) const override;

private:
    struct Close {
        void operator()(std::FILE* file) const noexcept { (void)std::fclose(file); }
    };
    explicit JsonLines(JsonLinesConfig config) : config_{std::move(config)} {}
    Status reopen();
    void rotate();

    JsonLinesConfig config_;
    std::unique_ptr<std::FILE, Close> file_{}; // unbuffered: what is not written is in `buffer_`
    std::uint64_t size_ = 0;
    std::string buffer_{};
    std::uint64_t buffered_ = 0; // rows
    std::uint64_t written_ = 0;
    std::uint64_t dropped_ = 0;
    std::uint64_t rotations_ = 0;
    std::string error_{};
};

} // namespace hive::bees
