#pragma once

#include "api/http/response.hpp"
#include "colony/approvals/deciding.hpp"

#include <string_view>

namespace hive::rest {

// What a decision link shows: the request and two buttons. It has no script, and looking at it
// decides nothing, so that programs that preview links do no harm.
http::Response decision_page(const colony::approvals::Invitation& invitation);
http::Response told_page(unsigned status, std::string_view title, std::string_view text);

} // namespace hive::rest
