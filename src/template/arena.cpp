#include "template/arena.hpp"

#include <algorithm>

namespace hive::templates {

void Arena::clear() noexcept {
    before_ = 0;
    used_ = 0;
    if (!blocks_.empty()) enter(0);
}

void Arena::enter(std::size_t block) {
    block_ = block;
    at_ = blocks_[block].memory.get();
    room_ = blocks_[block].size;
    used_ = 0;
}

// Fresh blocks are aligned for everything, so the size alone decides.
char* Arena::bytes_elsewhere(std::size_t size) {
    if (size > bound_ || before_ + room_ > bound_ - size) return nullptr;
    before_ += room_;
    std::size_t next = blocks_.empty() ? 0 : block_ + 1;
    while (next < blocks_.size() && blocks_[next].size < size) {
        // Too small for this request: it goes, and what follows is kept for later requests.
        blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(next));
    }
    if (next == blocks_.size()) {
        const std::size_t grown = blocks_.empty() ? first_block : blocks_.back().size * 2;
        const std::size_t fresh = std::max(std::min(grown, bound_), size);
        blocks_.push_back({std::make_unique<char[]>(fresh), fresh});
    }
    enter(next);
    used_ = size;
    return at_;
}

} // namespace hive::templates
