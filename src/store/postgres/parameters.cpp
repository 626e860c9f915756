#include "store/postgres/parameters.hpp"

#include "kernel/overloaded.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace hive::store::postgres {
namespace {

// From PostgreSQL's pg_type; these numbers are part of its protocol.
constexpr Oid bool_oid = 16;
constexpr Oid bytea_oid = 17;
constexpr Oid int8_oid = 20;
constexpr Oid int2_oid = 21;
constexpr Oid int4_oid = 23;
constexpr Oid text_oid = 25;
constexpr Oid float8_oid = 701;
constexpr Oid varchar_oid = 1043;
constexpr Oid unspecified_oid = 0;

std::array<char, 8> big_endian(std::uint64_t bits) {
    std::array<char, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<char>(bits >> (8U * (7U - i)));
    }
    return bytes;
}

std::uint64_t from_big_endian(std::string_view bytes) {
    std::uint64_t bits = 0;
    for (const char byte : bytes) bits = (bits << 8U) | static_cast<unsigned char>(byte);
    return bits;
}

struct Encoded {
    Oid type;
    const char* value;
    std::size_t length;
    char letter;
};

} // namespace

Parameters::Parameters(Params params) {
    numbers_.reserve(params.size());
    const auto number = [&](Oid type, std::uint64_t bits, char letter) {
        numbers_.push_back(big_endian(bits));
        return Encoded{type, numbers_.back().data(), numbers_.back().size(), letter};
    };
    for (const Value& value : params) {
        const Encoded encoded = std::visit(
            overloaded{
                [](Null) { return Encoded{unspecified_oid, nullptr, 0, 'n'}; },
                [&](bool truth) { return number(int8_oid, truth ? 1 : 0, 'i'); },
                [&](std::int64_t whole) {
                    return number(int8_oid, static_cast<std::uint64_t>(whole), 'i');
                },
                [&](double real) {
                    return number(float8_oid, std::bit_cast<std::uint64_t>(real), 'r');
                },
                [](std::string_view text) {
                    return Encoded{text_oid, text.empty() ? "" : text.data(), text.size(), 't'};
                },
                [](Blob bytes) {
                    const auto* data = reinterpret_cast<const char*>(bytes.data());
                    return Encoded{bytea_oid, bytes.empty() ? "" : data, bytes.size(), 'b'};
                }},
            value);
        types_.push_back(encoded.type);
        values_.push_back(encoded.value);
        lengths_.push_back(static_cast<int>(encoded.length));
        formats_.push_back(1);
        signature_ += encoded.letter;
    }
}

Result<Value> column_of(const PGresult& result, int row, int column) {
    if (PQgetisnull(&result, row, column) == 1) return Value{Null{}};
    const std::string_view bytes{
        PQgetvalue(&result, row, column),
        static_cast<std::size_t>(PQgetlength(&result, row, column))};
    switch (PQftype(&result, column)) {
    case bool_oid: return Value{bytes == std::string_view{"\1", 1}};
    case int2_oid: return Value{std::int64_t{static_cast<std::int16_t>(from_big_endian(bytes))}};
    case int4_oid: return Value{std::int64_t{static_cast<std::int32_t>(from_big_endian(bytes))}};
    case int8_oid: return Value{static_cast<std::int64_t>(from_big_endian(bytes))};
    case float8_oid: return Value{std::bit_cast<double>(from_big_endian(bytes))};
    case text_oid:
    case varchar_oid: return Value{bytes};
    case bytea_oid: return Value{bytes_of(bytes)};
    default:
        return fail(
            Errc::invalid,
            fmt::format(
                "column {} ('{}') has PostgreSQL type {}; cast it to bigint, double precision, "
                "text or bytea",
                column, PQfname(&result, column), PQftype(&result, column)));
    }
}

} // namespace hive::store::postgres
