#pragma once

#include <string>
#include <string_view>

namespace hive::http {

// Why the transport will not serve a request; the application turns it into a problem document.
struct Refusal {
    unsigned status = 400;
    std::string_view code; // stable word for programs, e.g. `head-too-large`
    std::string detail;    // sentence for people
};

} // namespace hive::http
