#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hive::call {

// The fields of an answer in their order, in one buffer that is used again for the next answer.
class Headers {
public:
    struct Field {
        std::string_view name;
        std::string_view value;
    };

    std::size_t size() const noexcept { return fields_.size(); }
    bool empty() const noexcept { return fields_.empty(); }
    Field operator[](std::size_t index) const noexcept;
    // The first with that name, whatever its case; empty when there is none.
    std::string_view find(std::string_view name) const noexcept;

    void clear() noexcept {
        text_.clear();
        fields_.clear();
    }
    // The next pieces belong to a new one.
    void begin_field() { fields_.push_back({text_.size(), text_.size(), text_.size()}); }
    void append_name(std::string_view piece) {
        text_ += piece;
        fields_.back().value = fields_.back().end = text_.size();
    }
    void append_value(std::string_view piece) {
        text_ += piece;
        fields_.back().end = text_.size();
    }

private:
    struct Place {
        std::size_t name;
        std::size_t value;
        std::size_t end;
    };
    std::string text_;
    std::vector<Place> fields_;
};

} // namespace hive::call
