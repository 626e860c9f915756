#pragma once

#include "runtime/process/descriptor.hpp"
#include "runtime/process/record.hpp"

namespace hive::runtime::process {

Descriptor open_pidfd(int pid); // empty, with the reason in errno, when it cannot be

Result<Identity> identify(int pid); // of a process that is there, perhaps ended and not yet reaped

// A pidfd of that very process; empty when it has ended, whoever has its number now. An error is
// neither: it could not be found out.
Result<Descriptor> open_living(const Identity& process);

bool has_ended(const Descriptor& pidfd);

// Never reaches another process that was given the number since.
Status send_signal(const Descriptor& pidfd, int number);

} // namespace hive::runtime::process
