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
    struct Place { // of a field in the text
        std::size_t name;
        std::size_t name_end;
        std::size_t value;
        std::size_t end;
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
    void begin_field() {
        const std::size_t at = text_.size();
        fields_.push_back({at, at, at, at});
    }
    void append_name(std::string_view piece) {
        text_ += piece;
        fields_.back().name_end = fields_.back().value = fields_.back().end = text_.size();
    }
    void append_value(std::string_view piece) {
        text_ += piece;
        fields_.back().end = text_.size();
    }

    // All at once, instead of piece by piece: places in a text that is set in the end.
    void add(const Place& place) { fields_.push_back(place); }
    void set_text(std::string_view text) { text_ = text; }

private:
    std::string text_;
    std::vector<Place> fields_;
};

} // namespace hive::call
