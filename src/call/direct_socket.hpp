#pragma once

#include "call/stream.hpp"

#include <cstdint>

namespace hive::call {

class ReadySet;

// A plain TCP socket that is read and written without waiting: its set tells when to try again.
class DirectSocket {
public:
    class User {
    public:
        virtual void on_ready() = 0; // there may be something to read, or room to write

    protected:
        ~User() = default;
    };

    DirectSocket(int socket, ReadySet& set) noexcept : socket_{socket}, set_{set} {} // owns it
    ~DirectSocket();
    DirectSocket(const DirectSocket&) = delete;
    DirectSocket& operator=(const DirectSocket&) = delete;

    error_code open(); // into the set
    void serve(User* user) noexcept { user_ = user; }

    // `would_block` instead of waiting. The user is told when that changes, about writing only
    // after await_room.
    IoCount read(asio::mutable_buffer into) noexcept;
    IoCount write(asio::const_buffer from) noexcept;
    error_code await_room() noexcept;
    void look_again(); // the user is told soon, whatever has come

    // False: something may be left to read that the user will not be told of.
    bool is_drained() const noexcept { return drained_; }
    Pulse pulse() noexcept;

private:
    friend ReadySet;
    void on_event(std::uint32_t events);

    int socket_;
    ReadySet& set_;
    User* user_ = nullptr;
    bool drained_ = true;
    bool hung_up_ = false; // the peer has sent all it will, or the connection is broken
    bool awaits_room_ = false;
};

} // namespace hive::call
