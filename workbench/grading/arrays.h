// The memory of a trial's arrays: shared with the player, with protected pages around it. Internal to workbench/grading.
#pragma once

#include <cstddef>

namespace lab {

// Where arrays lie that parent and long player share: two mappings, made before the fork. Both processes take the same
// places, for they make the same arrays. When the last array is gone, the next ones lie in the other mapping: the player
// may still be looking at the old ones.
class ArraySpace {
  public:
    ArraySpace();
    ~ArraySpace();
    ArraySpace(const ArraySpace&) = delete;
    ArraySpace& operator=(const ArraySpace&) = delete;
    char* take(size_t bytes);  // whole pages, zero; throws std::runtime_error with a sentence when it is full
    void give_back(char* place, size_t bytes);

  private:
    struct Half {
        char* data = nullptr;
        size_t used = 0;
    };
    Half halves_[2];
    int current_ = 0;
    size_t arrays_ = 0;
};

// Shared memory between two protected pages. The data ends at the second one; what is left over before it and
// behind it (alignment) is filled with a canary.
class GuardedArray {
  public:
    explicit GuardedArray(size_t bytes);
    ~GuardedArray();
    GuardedArray(GuardedArray&& other) noexcept;
    GuardedArray(const GuardedArray&) = delete;
    GuardedArray& operator=(const GuardedArray&) = delete;
    GuardedArray& operator=(GuardedArray&&) = delete;
    char* data() const { return data_; }
    // Which side of the data was written to: "before", "behind", or nullptr.
    const char* damaged_side() const;

  private:
    char* mapping_ = nullptr;
    size_t mapped_ = 0;
    char* data_ = nullptr;
    size_t bytes_ = 0;
};

}  // namespace lab
