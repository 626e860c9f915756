#pragma once

#include "call/error_class.hpp"
#include "call/frame.hpp"
#include "call/headers.hpp"
#include "call/target.hpp"
#include "kernel/clock.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace hive::call {

enum class Behaviour : std::uint8_t {
    request_response, // one message comes back
    echo,             // as many bytes as were sent come back
    fire_and_forget,  // nothing is awaited
    streaming,        // whatever comes until the peer is silent, closes, or has sent enough
};

// How an answer over TCP is recognised; made once and shared by the calls of one kind.
struct TcpRules {
    Behaviour behaviour = Behaviour::request_response;
    FrameRules frame{};                             // its bytes_max also bounds echo and streaming
    Duration idle = std::chrono::milliseconds{500}; // streaming: silence that ends it
};

// One call, ready to be sent. Its buffers travel with it and come back in Done; after a redirect
// with the last request and target.
struct Call {
    std::uint64_t id = 0; // the caller's own; not looked at
    TimePoint due{};      // when it should have begun; carried along
    std::shared_ptr<const Target> target{};
    std::shared_ptr<const TcpRules> tcp{}; // for tcp and tcps targets only
    std::string request{};                 // all bytes: see append_request and append_frame
};

// Monotonic, as all others; TimePoint{} is what did not happen.
struct Timings {
    TimePoint taken{};      // taken from the queue: before it, the call waited for its turn
    TimePoint begin{};      // this attempt was handed to a connection, or began to make one
    TimePoint connected{};  // a new connection was ready, TLS included
    TimePoint sent{};       // the last byte of the request went to the system
    TimePoint first_byte{}; // of the answer
    TimePoint last_byte{};  // or the moment it failed
};

struct Done {
    Call call{};
    Failure failure{};   // error none: there is an answer
    unsigned status = 0; // of HTTP
    Headers headers{};
    std::string body{};           // at most Options::kept_body_bytes; TCP: without its frame
    std::uint64_t body_bytes = 0; // all of it, kept or not
    std::uint64_t sent_bytes = 0; // on the wire without TLS, all attempts together
    std::uint64_t received_bytes = 0;
    Timings at{};
    bool reused = false;        // on a connection that an earlier call had made
    bool tls_resumed = false;   // the new connection went on with an earlier session
    std::uint32_t attempts = 0; // 1 unless something was tried again; redirects are not attempts
    std::uint32_t redirects = 0;
    std::uint32_t stale_retries = 0; // the kept connection had been closed by the peer

    bool ok() const noexcept { return failure.error == ErrorClass::none; }
};

} // namespace hive::call
