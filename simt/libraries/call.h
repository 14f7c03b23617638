// What the calls of cuBLAS and its kin have in common: each is an operation of its stream that reads and writes device
// memory as a kernel does, and is checked like one.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "simt/host/durations.h"
#include "simt/runtime/work.h"

namespace simt::libraries {

// The call that a message speaks of.
struct Call {
    const char* name;  // "cublasSgemm"
    Where where;
};

// A number that a call is given: by value, or by its place on the device, where it is read when the call runs.
struct Scalar {
    double value = 0;
    const void* device = nullptr;
    bool is_double = false;
    double now() const;
};

// Memory that a call reads or writes: `columns` pieces of `rows` elements, `ld` elements from one piece's beginning to
// the next. A vector is one column, or with a stride many of one element.
struct Operand {
    enum class Use { reads, writes, updates };
    enum class Part { whole, upper, lower };  // of a square matrix
    const char* name;                         // "A", as NVIDIA's documentation calls it
    const void* pointer;
    size_t element_bytes;
    size_t rows, columns, ld;
    Use use;
    Part part = Part::whole;
    std::shared_ptr<const Scalar> unless_zero{};  // where it is zero when the call runs, nothing is read
};
Operand matrix(const char* name, const void* pointer, size_t element_bytes, long rows, long columns, long ld,
               Operand::Use use, Operand::Part part = Operand::Part::whole,
               std::shared_ptr<const Scalar> unless_zero = nullptr);
// `increment`: may be negative, as in BLAS.
Operand vector(const char* name, const void* pointer, size_t element_bytes, long n, long increment,
               Operand::Use use, std::shared_ptr<const Scalar> unless_zero = nullptr);

struct Work {
    std::vector<Operand> operands;
    timeline::LibraryWork cost;
    // Runs with all checks passed; device memory is to be reached through host_view.
    std::function<void()> run;
    bool waits = false;  // the call returns its result to the host
};

// Checks the operands' memory and queues the call in `stream`. Memory that the device cannot reach is a finding; the
// operation then breaks the context as a kernel's illegal access does.
cudaError_t queue_call(const Call& call, cudaStream_t stream, Work work);

// Of memory that is known only when the call runs, such as the matrices of a batch: checked then, before it is touched.
// False: the call must not go on. `wrote`: afterwards.
bool touch(const Call& call, const Operand& operand);
void wrote(const Operand& operand);

// The host's side of an argument that must be the host's: a device pointer there is a finding, and false.
bool is_host_argument(const Call& call, const char* argument, const void* pointer, const char* fix);

// An argument that the library refuses, in one sentence: "lda is 3, but A has 4 rows".
void report_refused(const Call& call, const std::string& why, const std::string& fix);

// A handle that `create` ("cublasCreate") made at that line is destroyed: an advice when a line has made a few of them.
void note_destroyed(const char* create, Where created);

template <class T>
const T* view(const T* device) {
    return reinterpret_cast<const T*>(memory::host_view(device));
}
template <class T>
T* view(T* device) {
    return reinterpret_cast<T*>(memory::host_view(device));
}

}  // namespace simt::libraries
