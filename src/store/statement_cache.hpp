#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hive::store {

// Prepared statements by their text. Code has a fixed set of them, so a full cache means that
// someone builds SQL from data; it is then emptied rather than grown.
template <class Statement>
class StatementCache {
public:
    static constexpr std::size_t max = 512;

    Statement* find(std::string_view text) {
        const auto at = statements_.find(text);
        return at == statements_.end() ? nullptr : &at->second;
    }
    bool full() const { return statements_.size() >= max; }
    Statement& add(std::string_view text, Statement statement) {
        return statements_.insert_or_assign(std::string{text}, std::move(statement)).first->second;
    }
    void erase(std::string_view text) {
        if (const auto at = statements_.find(text); at != statements_.end()) statements_.erase(at);
    }
    void clear() { statements_.clear(); }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>{}(text);
        }
    };
    std::unordered_map<std::string, Statement, Hash, std::equal_to<>> statements_;
};

} // namespace hive::store
