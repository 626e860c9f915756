#include "kernel/config.hpp"

namespace hive {

template class BoundOption<bool>;
template class BoundOption<std::string>;
template class BoundOption<std::vector<std::string>>;
template class BoundOption<std::optional<std::string>>;
template class BoundOption<Duration>;
template class BoundOption<std::optional<Duration>>;
template class BoundOption<std::uint32_t>;
template class BoundOption<std::uint64_t>;
template class BoundOption<std::optional<std::uint32_t>>;
template class BoundOption<std::int64_t>;
template class BoundOption<double>;
template class BoundOption<FilePath>;
template class BoundOption<std::optional<FilePath>>;
template class BoundOption<std::optional<DirectoryPath>>;
template class BoundOption<std::optional<Url>>;
template class BoundOption<Secret>;

} // namespace hive
