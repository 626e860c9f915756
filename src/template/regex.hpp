#pragma once

#include "kernel/result.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace re2 {
class RE2;
}

namespace hive::templates {

// A pattern searched in time linear to the text, whatever the pattern: a backtracking engine could
// be kept busy for ever by one payload. The price: no look-around and no back references.
class Regex {
public:
    static Result<Regex> compile(std::string_view pattern);
    Regex(Regex&&) noexcept;
    Regex& operator=(Regex&&) noexcept;
    ~Regex();

    bool found_in(std::string_view text) const;
    // The group of the first match; empty when there is no match or no such group.
    std::string_view group(std::string_view text, std::size_t number) const;
    std::size_t groups() const;
    // What a search costs: it grows with the text and with the size of the pattern.
    std::uint64_t steps_for(std::string_view text) const;
    bool matches_all_of(std::string_view text) const;

private:
    explicit Regex(std::unique_ptr<re2::RE2> compiled);
    std::unique_ptr<re2::RE2> compiled_;
};

} // namespace hive::templates
