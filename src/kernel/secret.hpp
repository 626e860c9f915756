#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <fmt/format.h>

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive {

inline constexpr std::string_view masked = "***";

// A password or token. Every way to print it gives `***`; the text leaves only through reveal().
class Secret {
public:
    Secret() = default;
    explicit Secret(std::string_view text) : bytes_{text.begin(), text.end()} {}
    Secret(const Secret&) = default;
    Secret(Secret&&) noexcept = default;
    Secret& operator=(Secret other) noexcept {
        bytes_.swap(other.bytes_);
        return *this;
    }
    ~Secret();

    // Valid while this lives and is not assigned to. Do not log it.
    std::string_view reveal() const noexcept { return {bytes_.data(), bytes_.size()}; }
    bool empty() const noexcept { return bytes_.empty(); }

    // Takes the same time wherever the first difference is.
    friend bool operator==(const Secret& a, const Secret& b) noexcept;

private:
    // Not std::string: its small buffer would leave a copy of short secrets behind when moved.
    std::vector<char> bytes_;
};

std::ostream& operator<<(std::ostream& out, const Secret& secret);
void tag_invoke(const json::value_from_tag&, json::value& out, const Secret& secret);

// How the shell reaches what a reference names; the kernel itself does no I/O.
struct SecretSources {
    std::function<std::optional<std::string>(const std::string& name)> env;
    std::function<Result<std::string>(const std::string& path)> file;
};

// Replaces each `{env:NAME}` and `{file:/path}` in `text`; one line end at the end of a file is not
// part of the secret. The error names the reference, never the text around it.
Result<Secret> resolve_secret(std::string_view text, const SecretSources& sources);

// `amqp://user:word@host` becomes `amqp://user:***@host`, anywhere in the text.
std::string mask_url_passwords(std::string_view text);

} // namespace hive

template <>
struct fmt::formatter<hive::Secret> : fmt::formatter<std::string_view> {
    auto format(const hive::Secret&, fmt::format_context& context) const {
        return fmt::formatter<std::string_view>::format(hive::masked, context);
    }
};
