#include "call/error_class.hpp"

#include <cstdlib>

namespace hive::call {

std::string_view name_of(ErrorClass error) noexcept {
    switch (error) {
    case ErrorClass::none: return "none";
    case ErrorClass::invalid_call: return "invalid-call";
    case ErrorClass::dns: return "dns";
    case ErrorClass::refused: return "refused";
    case ErrorClass::unreachable: return "unreachable";
    case ErrorClass::connect_timeout: return "connect-timeout";
    case ErrorClass::local_resources: return "local-resources";
    case ErrorClass::tls_handshake: return "tls-handshake";
    case ErrorClass::tls_certificate: return "tls-certificate";
    case ErrorClass::reset: return "reset";
    case ErrorClass::closed_early: return "closed-early";
    case ErrorClass::first_byte_timeout: return "first-byte-timeout";
    case ErrorClass::total_timeout: return "total-timeout";
    case ErrorClass::malformed_response: return "malformed-response";
    case ErrorClass::headers_too_large: return "headers-too-large";
    case ErrorClass::body_too_large: return "body-too-large";
    case ErrorClass::bad_redirect: return "bad-redirect";
    case ErrorClass::too_many_redirects: return "too-many-redirects";
    case ErrorClass::cancelled: return "cancelled";
    case ErrorClass::network: return "network";
    }
    std::abort();
}

} // namespace hive::call
