// Handles of API objects are numbers, so that a stale one is noticed and never dereferenced.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

namespace simt::runtime {

template <class T>
class HandleTable {
  public:
    void* add(T item) {
        const uintptr_t handle = next_ += 16;
        items_.emplace(handle, std::move(item));
        return reinterpret_cast<void*>(handle);
    }
    // nullptr: no such handle. Valid until it is removed.
    T* find(const void* handle) {
        const auto it = items_.find(reinterpret_cast<uintptr_t>(handle));
        return it == items_.end() ? nullptr : &it->second;
    }
    void remove(const void* handle) { items_.erase(reinterpret_cast<uintptr_t>(handle)); }
    template <class Belongs>
    void remove_if(Belongs belongs) {
        std::erase_if(items_, [&](const auto& item) { return belongs(item.second); });
    }
    template <class Visit>
    void for_each(Visit visit) {
        for (auto& [handle, item] : items_) visit(item);
    }

  private:
    std::unordered_map<uintptr_t, T> items_;
    uintptr_t next_ = 0x1000;
};

}  // namespace simt::runtime
