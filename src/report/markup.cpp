#include "report/markup.hpp"

#include "kernel/text.hpp"

namespace hive::report {

std::string escaped(std::string_view text) {
    constexpr std::size_t bytes_max = 2'000;
    std::string out;
    for (const char c : printable(text, bytes_max)) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default: out += c;
        }
    }
    return out;
}

} // namespace hive::report
