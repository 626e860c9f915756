// Digests and encodings of text, taken as the bytes it has.
#include "kernel/digest.hpp"
#include "kernel/encoding.hpp"
#include "template/function_groups.hpp"
#include "template/machine.hpp"

#include <array>

namespace hive::templates {
namespace {

ByteView bytes_at(Machine& machine, const Args& args, std::size_t at) {
    const std::string_view text = machine.text_of(args[at]);
    machine.charge(text.size() / 16);
    return bytes_of(text);
}

Value md5_hex(Machine& machine, const Args& args) {
    const auto digest = md5(bytes_at(machine, args, 0));
    append_hex(machine.buffer(), digest);
    return machine.made();
}

Value sha256_hex(Machine& machine, const Args& args) {
    const Digest digest = sha256(bytes_at(machine, args, 0));
    append_hex(machine.buffer(), digest);
    return machine.made();
}

Value hmac_sha256_hex(Machine& machine, const Args& args) {
    const ByteView key = bytes_at(machine, args, 0);
    const Digest digest = hmac_sha256(key, bytes_at(machine, args, 1));
    append_hex(machine.buffer(), digest);
    return machine.made();
}

Value base64_encode(Machine& machine, const Args& args) {
    const ByteView bytes = bytes_at(machine, args, 0);
    append_base64(machine.buffer(), bytes);
    return machine.made();
}

Value base64_decode(Machine& machine, const Args& args) {
    const auto decoded = from_base64(text_of(bytes_at(machine, args, 0)));
    if (!decoded) return machine.fail(decoded.error());
    return machine.keep(text_of(*decoded));
}

} // namespace

std::span<const Function> digest_functions() {
    static constexpr std::array<Function, 5> functions{{
        {"md5_hex", 1, 1, md5_hex},
        {"sha256_hex", 1, 1, sha256_hex},
        {"hmac_sha256_hex", 2, 2, hmac_sha256_hex},
        {"base64_encode", 1, 1, base64_encode},
        {"base64_decode", 1, 1, base64_decode},
    }};
    return functions;
}

} // namespace hive::templates
