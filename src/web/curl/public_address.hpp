#pragma once

struct sockaddr;

namespace hive::web::curl {

// Whether an address belongs to the public internet: not this machine, not a private or link-local
// network, not a range that is reserved, and no IPv6 form that leads to such an IPv4 address.
bool is_public(const sockaddr& address) noexcept;

} // namespace hive::web::curl
