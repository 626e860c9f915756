#pragma once

#include "api/http/eventually.hpp"
#include "api/http/refusal.hpp"
#include "api/http/request.hpp"
#include "api/http/response.hpp"

#include <cstddef>

namespace hive::http {

// What the transport serves. Called from every thread of the server at the same time.
class Application {
public:
    virtual ~Application() = default;

    // Bytes of body this request may have; called when its head is whole and a body follows.
    virtual std::size_t body_limit(const Request& request) const = 0;
    // The request stays valid until the answer is there.
    virtual Eventually<Response> answer(const Request& request) = 0;
    // The answer to something that never became a request, or whose handler threw.
    virtual Response refuse(const Refusal& refusal, const Peer& peer) = 0;
};

} // namespace hive::http
