#pragma once

#include "api/ws/frame.hpp"
#include "tests/system/http_client.hpp"

#include <string>
#include <string_view>

namespace hive::test {

struct ReceivedFrame {
    ws::Opcode opcode = ws::Opcode::text;
    std::string payload;

    int close_code() const; // 1005 when there is none
};

// A WebSocket client that can send any bytes it likes.
class WsClient {
public:
    // Upgrades at `target`, e.g. `/ws?token=key`; throws unless the answer is 101.
    WsClient(Client client, std::string_view target, std::string_view headers = "");

    void text(std::string_view payload) { frame(0x81, payload); }
    // `first` is the first byte of the frame: FIN, reserved bits, opcode.
    void frame(unsigned first, std::string_view payload);
    ReceivedFrame receive();
    std::string receive_text(); // answers pings; throws when something else comes
    int receive_close();        // skips everything before it
    Client& raw() noexcept { return client_; }

private:
    Client client_;
};

} // namespace hive::test
