#include "store/postgres/open.hpp"

namespace hive::store::postgres {

Result<std::unique_ptr<Database>> open(const Options& options) {
    PostgresConnection probe{options.url, Access::read, options.patience};
    if (auto ok = probe.connect(SystemClock{}.now() + options.patience.connect); !ok) {
        return fail(ok.error());
    }
    const auto connect = [url = options.url, patience = options.patience](Access access) {
        return std::make_unique<PostgresConnection>(url, access, patience);
    };
    return std::make_unique<ThreadedDatabase>(Engine::postgres, connect, options.limits);
}

} // namespace hive::store::postgres
