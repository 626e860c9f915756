#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hive::templates {

// Memory for the values of one render: handed out in order, given back all at once. The blocks
// stay, so that a render like the last one allocates nothing.
class Arena {
public:
    // Null when the bound would be passed.
    char* bytes(std::size_t size, std::size_t align = 1) {
        const std::size_t start = (used_ + align - 1) & ~(align - 1);
        if (start + size >= room_) return bytes_elsewhere(size);
        used_ = start + size;
        return at_ + start;
    }
    template <class T>
    T* array(std::size_t count) {
        static_assert(std::is_trivially_destructible_v<T>);
        if (count > bound_ / sizeof(T)) return nullptr;
        return reinterpret_cast<T*>(bytes(count * sizeof(T), alignof(T)));
    }
    void clear() noexcept;
    void bound(std::size_t bytes) noexcept { bound_ = bytes; }

private:
    static constexpr std::size_t first_block = 4096;
    struct Block {
        std::unique_ptr<char[]> memory;
        std::size_t size;
    };
    char* bytes_elsewhere(std::size_t size);
    void enter(std::size_t block);

    std::vector<Block> blocks_;
    std::size_t block_ = 0;
    char* at_ = nullptr;
    std::size_t used_ = 0;   // of the current block
    std::size_t room_ = 0;   // of the current block
    std::size_t before_ = 0; // bytes of the blocks before the current one
    std::size_t bound_ = std::size_t{32} << 20U;
};

} // namespace hive::templates
