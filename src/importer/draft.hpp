#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace hive::importer {

struct Header {
    std::string name{};
    std::string value{};
    bool operator==(const Header&) const = default;
};

struct Call {
    std::string id{}; // unique in its draft; letters, digits and '-'
    std::string method = "GET";
    std::string path = "/"; // with the query
    std::vector<Header> headers{};
    std::string body{};
    bool operator==(const Call&) const = default;
};

// What was found: texts as they are, nothing in them is a template.
struct Draft {
    std::string title{};
    std::string base_url{}; // scheme, host and port
    std::vector<Call> calls{};
    std::vector<std::string> notes{}; // what people should know, a sentence each
};

inline constexpr std::size_t calls_max = 500;

using Files = std::map<std::string, std::string>; // texts by relative path

// Adds it under a name of its own; when there are too many already, a note says so.
void add_call(Draft& draft, Call call);

// Headers that belong to a connection or to how an answer is encoded, not to a call.
bool is_of_connection(const std::string& header);
bool is_secret(const std::string& header);

std::string lower(std::string text); // ASCII letters

} // namespace hive::importer
