#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive {

// All there is to know about one field of a JSON configuration without its type: validation,
// manifests, references and forms are written from this.
struct FieldInfo {
    std::string path{}; // dotted; `sources[].weight` in a list, `headers{}` in a map
    std::string type{}; // boolean, integer, number, text, duration, size, json, object
    std::string help{}; // one sentence without a full stop
    std::string unit{};
    std::string expected{}; // completes "expected ..."
    std::optional<double> lowest{};
    std::optional<double> highest{};
    std::vector<std::string> choices{};
    json::value fallback{}; // null: none
    bool required = false;
    bool live = true; // may change while the bee works
    bool secret = false;
    bool is_template = false; // a text that is rendered for each item
};

struct FieldProblem {
    std::string path{};
    std::string code{}; // unknown-key, bad-value, missing-key
    std::string message{};
    std::string hint{};
};
using FieldProblems = std::vector<FieldProblem>;

// One line for people.
std::string to_text(const FieldProblems& problems);

class FieldTable;

// A struct is a configuration when a function next to it declares its fields:
//   void describe(FieldTable& fields, Settings& settings);
template <class T>
concept Described = requires(FieldTable& table, T& value) { describe(table, value); };

// One field, bound to a member that outlives it.
class Field {
public:
    virtual ~Field() = default;
    // Assigns the whole value, or nothing and says every reason why.
    virtual void
    read(const json::value& value, const std::string& path, FieldProblems& problems) = 0;
    virtual void list(const std::string& prefix, std::vector<FieldInfo>& out) const = 0;
    virtual void mask(json::value& value) const = 0; // secrets, wherever they are in it

    FieldInfo info{}; // its path is the bare name
};

void refuse_value(
    const FieldInfo& info, const json::value& value, const std::string& path,
    FieldProblems& problems);
// What a scalar says as text; nothing for anything else.
std::optional<std::string> scalar_text(const json::value& value);

// The fields of one object, in the order that references show them.
class FieldTable {
public:
    template <class T>
    auto& add(std::string name, T& member);

    // A rule over several fields, looked at once each of them has been read.
    void rule(std::function<Status()> rule) { rules_.push_back(std::move(rule)); }

    void read(const json::value& value, const std::string& path, FieldProblems& problems);
    void list(const std::string& prefix, std::vector<FieldInfo>& out) const;
    void mask(json::value& value) const;

private:
    void refuse_unknown(const json::object& object, const std::string& path, FieldProblems& out);

    std::vector<std::unique_ptr<Field>> fields_{};
    std::vector<std::function<Status()>> rules_{};
};

} // namespace hive
