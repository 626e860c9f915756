#include "tests/system/http_ws_client.hpp"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>

namespace hive::test {
namespace {

constexpr std::chrono::seconds patience{30}; // only a failing test waits that long

} // namespace

int ReceivedFrame::close_code() const {
    if (payload.size() < 2) return 1005;
    return static_cast<unsigned char>(payload[0]) * 256 + static_cast<unsigned char>(payload[1]);
}

WsClient::WsClient(Client client, std::string_view target, std::string_view headers)
    : client_{std::move(client)} {
    client_.send(fmt::format(
        "GET {} HTTP/1.1\r\nHost: hive\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{}\r\n",
        target, headers));
    const auto answer = client_.receive();
    if (!answer || answer->status != 101) {
        throw std::runtime_error{fmt::format("upgrade: {}", answer ? answer->status : 0)};
    }
}

void WsClient::frame(unsigned first, std::string_view payload) {
    std::string out;
    ws::append_frame(out, ws::Opcode::text, payload);
    const std::size_t header = out.size() - payload.size();
    out[0] = static_cast<char>(first);
    out[1] = static_cast<char>(static_cast<unsigned char>(out[1]) | 0x80U);
    const std::array<std::uint8_t, 4> mask{0x11, 0x22, 0x33, 0x44};
    ws::unmask(out.data() + header, payload.size(), mask, 0);
    out.insert(header, "\x11\x22\x33\x44");
    client_.try_send(out);
}

ReceivedFrame WsClient::receive() {
    std::string head = client_.receive_exactly(2);
    const unsigned length = static_cast<unsigned char>(head[1]) & 0x7fU;
    if (length >= 126) head += client_.receive_exactly(length == 126 ? 2 : 8);
    const auto read = ws::read_frame_header(head);
    if (read.state != ws::FrameHeaderRead::State::whole || read.header.masked) {
        throw std::runtime_error{"the server sent a broken frame"};
    }
    return {
        read.header.opcode, client_.receive_exactly(static_cast<std::size_t>(read.header.length))};
}

std::string WsClient::receive_text() {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
        ReceivedFrame got = receive();
        if (got.opcode == ws::Opcode::text) return std::move(got.payload);
        if (got.opcode != ws::Opcode::ping) throw std::runtime_error{"not a text frame"};
        frame(0x8A, got.payload); // a slow test is asked whether it is still there
        if (std::chrono::steady_clock::now() > deadline) {
            throw std::runtime_error{"the server only asks whether somebody is there"};
        }
    }
}

int WsClient::receive_close() {
    for (;;) {
        const ReceivedFrame got = receive();
        if (got.opcode == ws::Opcode::close) return got.close_code();
    }
}

} // namespace hive::test
