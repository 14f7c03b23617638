// Single values and copies: between host and device, and within the device.
#pragma once

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/swap.h>
#include <thrust/system/cuda/detail/cross_system.h>
#include <thrust/system/cuda/detail/malloc_and_free.h>
#include <thrust/type_traits/is_trivially_relocatable.h>

#include <memory>
#include <vector>

#include "run.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace on_machine {

inline void copy_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                       cudaStream_t stream) {
    if (bytes == 0) return;
    const ::simt::Where where = ::simt::calling_line();
    throw_on_error(cudaMemcpyAsync(to, from, bytes, kind, stream, where), "copy");
    throw_on_error(cudaStreamSynchronize(stream, where), "copy");
}

// Room for values on the device, for the time of a call.
template <class T>
class DeviceRoom {
  public:
    explicit DeviceRoom(std::size_t count) {
        using thrust::system::cuda::detail::Memory;
        void* memory = nullptr;
        throw_on_error(
            thrust::system::cuda::detail::allocate(Memory::device, &memory, count * sizeof(T), alignof(T)),
            "temporary memory");
        data_ = static_cast<T*>(memory);
    }
    ~DeviceRoom() { ::simt::cuda::release(data_, ::simt::calling_line()); }
    DeviceRoom(const DeviceRoom&) = delete;
    DeviceRoom& operator=(const DeviceRoom&) = delete;
    T* data() const { return data_; }

  private:
    T* data_ = nullptr;
};

template <class Derived, class In, class Out>
Out copy_on_device(execution_policy<Derived>& policy, In first, std::size_t count, Out result) {
    if constexpr (thrust::is_indirectly_trivially_relocatable_to<In, Out>::value) {
        if (!::simt::in_kernel()) {
            using Value = typename thrust::iterator_traits<In>::value_type;
            if (count != 0)
                copy_bytes(raw(result), raw(first), count * sizeof(Value), cudaMemcpyDeviceToDevice,
                           stream(policy));
            return result + static_cast<std::ptrdiff_t>(count);
        }
    }
    run_each(policy, "thrust::copy", count, [from = raw(first), to = raw(result)](std::size_t i) mutable {
        *(to + static_cast<std::ptrdiff_t>(i)) =
            thrust::raw_reference_cast(*(from + static_cast<std::ptrdiff_t>(i)));
    });
    return result + static_cast<std::ptrdiff_t>(count);
}

// From the device to the host.
template <class Derived, class In, class Out>
Out copy_out(execution_policy<Derived>& policy, In first, std::size_t count, Out result) {
    using Value = typename thrust::iterator_traits<In>::value_type;
    if (count == 0) return result;
    if constexpr (thrust::is_indirectly_trivially_relocatable_to<In, Out>::value) {
        copy_bytes(raw(result), raw(first), count * sizeof(Value), cudaMemcpyDeviceToHost, stream(policy));
        return result + static_cast<std::ptrdiff_t>(count);
    } else {
        std::unique_ptr<unsigned char[]> bytes(new unsigned char[count * sizeof(Value)]);
        auto* values = reinterpret_cast<Value*>(bytes.get());
        if constexpr (thrust::is_contiguous_iterator<In>::value) {
            copy_bytes(values, raw(first), count * sizeof(Value), cudaMemcpyDeviceToHost, stream(policy));
        } else {
            const DeviceRoom<Value> room(count);
            copy_on_device(policy, first, count, room.data());
            copy_bytes(values, room.data(), count * sizeof(Value), cudaMemcpyDeviceToHost, stream(policy));
        }
        for (std::size_t i = 0; i < count; ++i, ++result) *result = values[i];
        return result;
    }
}

// From the host to the device.
template <class Derived, class In, class Out>
Out copy_in(execution_policy<Derived>& policy, In first, std::size_t count, Out result) {
    using Value = typename thrust::iterator_traits<In>::value_type;
    if (count == 0) return result;
    if constexpr (thrust::is_indirectly_trivially_relocatable_to<In, Out>::value) {
        copy_bytes(raw(result), raw(first), count * sizeof(Value), cudaMemcpyHostToDevice, stream(policy));
        return result + static_cast<std::ptrdiff_t>(count);
    } else {
        std::unique_ptr<unsigned char[]> bytes(new unsigned char[count * sizeof(Value)]);
        auto* values = reinterpret_cast<Value*>(bytes.get());
        for (std::size_t i = 0; i < count; ++i, ++first) ::new (static_cast<void*>(values + i)) Value(*first);
        const DeviceRoom<Value> room(count);
        copy_bytes(room.data(), values, count * sizeof(Value), cudaMemcpyHostToDevice, stream(policy));
        return copy_on_device(policy, static_cast<const Value*>(room.data()), count, result);
    }
}

// A pair of systems, one of which is the device.
template <class Device, class Host, class In, class Out>
Out copy_between(execution_policy<Device>& device, const thrust::cpp::execution_policy<Host>&, In first,
                 std::size_t count, Out result) {
    return copy_out(device, first, count, result);
}
template <class Host, class Device, class In, class Out>
Out copy_between(const thrust::cpp::execution_policy<Host>&, execution_policy<Device>& device, In first,
                 std::size_t count, Out result) {
    return copy_in(device, first, count, result);
}

}  // namespace on_machine

template <class Derived, class In, class Out>
Out copy(execution_policy<Derived>& policy, In first, In last, Out result) {
    return on_machine::copy_on_device(policy, first, on_machine::count_of(first, last), result);
}
template <class Derived, class In, class Size, class Out>
Out copy_n(execution_policy<Derived>& policy, In first, Size count, Out result) {
    return on_machine::copy_on_device(policy, first, static_cast<std::size_t>(count), result);
}
template <class From, class To, class In, class Out>
Out copy(cross_system<From, To> systems, In first, In last, Out result) {
    return on_machine::copy_between(derived_cast(systems.sys1), derived_cast(systems.sys2), first,
                                    on_machine::count_of(first, last), result);
}
template <class From, class To, class In, class Size, class Out>
Out copy_n(cross_system<From, To> systems, In first, Size count, Out result) {
    return on_machine::copy_between(derived_cast(systems.sys1), derived_cast(systems.sys2), first,
                                    static_cast<std::size_t>(count), result);
}

// `*to = *from`.
template <class Derived, class To, class From>
void assign_value(execution_policy<Derived>& policy, To to, From from) {
    if (::simt::in_kernel()) {
        *thrust::raw_pointer_cast(to) = *thrust::raw_pointer_cast(from);
    } else {
        on_machine::copy_on_device(policy, from, 1, to);
    }
}
// The systems are those of `to` and of `from`.
template <class ToSystem, class FromSystem, class To, class From>
void assign_value(cross_system<ToSystem, FromSystem>& systems, To to, From from) {
    if (::simt::in_kernel()) {
        *thrust::raw_pointer_cast(to) = *thrust::raw_pointer_cast(from);
    } else {
        on_machine::copy_between(derived_cast(systems.sys2), derived_cast(systems.sys1), from, 1, to);
    }
}

template <class Derived, class Pointer>
typename thrust::iterator_value<Pointer>::type get_value(execution_policy<Derived>& policy, Pointer from) {
    using Value = std::remove_cv_t<typename thrust::iterator_value<Pointer>::type>;
    if (::simt::in_kernel()) return *thrust::raw_pointer_cast(from);
    alignas(Value) unsigned char bytes[sizeof(Value)];
    on_machine::copy_bytes(bytes, thrust::raw_pointer_cast(from), sizeof(Value), cudaMemcpyDeviceToHost,
                           stream(policy));
    return *std::launder(reinterpret_cast<Value*>(bytes));
}

template <class Derived, class A, class B>
void iter_swap(execution_policy<Derived>& policy, A a, B b) {
    on_machine::run_each(policy, "thrust::swap", 1,
                         [one = thrust::raw_pointer_cast(a), two = thrust::raw_pointer_cast(b)](std::size_t) {
                             using thrust::swap;
                             swap(*one, *two);
                         });
}

}  // namespace cuda_cub
THRUST_NAMESPACE_END
