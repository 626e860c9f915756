#pragma once

#include "kernel/json.hpp"

#include <string>
#include <string_view>

namespace hive::audit {

// Stands where a secret stood.
inline constexpr std::string_view redacted = "[redacted]";

// Whether a field of this name holds a secret: `Authorization`, `db_password`, `X-Api-Key`, `key`.
// Names of things about a secret (`keyId`, `tokenPrefix`, `idempotencyKey`) are not secret.
bool names_a_secret(std::string_view name);

// Replaces what looks like a secret wherever it stands in the text: API keys, bearer and basic
// credentials, JSON web tokens, private keys, passwords in URLs, `password=...` pairs. Errs on the
// side of hiding. Linear in the size of the text.
std::string redact_text(std::string_view text);

// A copy without secrets: values under secret names and look-alikes inside strings are replaced.
// Empty, null and boolean values stay: they say whether there was a secret, not which.
json::object redact(const json::object& object);

} // namespace hive::audit
