// Loads and stores with a cache hint: plain accesses here, since a hint changes no value.
#pragma once

#include "simt/cuda/qualifiers.h"

namespace simt::cuda {
template <class T>
struct AsIs {  // not deduced from the argument: __stcs(float_pointer, 0) converts the 0
    using type = T;
};
}  // namespace simt::cuda

#define SIMT_LOAD(name)                    \
    template <class T>                     \
    SIMT_INLINE T name(const T* address) { \
        return *address;                   \
    }
SIMT_LOAD(__ldg)
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
SIMT_LOAD(__ldlu)
#undef SIMT_LOAD

// Looks again each time it is called: for a flag.
template <class T>
SIMT_INLINE T __ldcv(const T* address) {
    if constexpr (__is_class(T)) {
        return *address;
    } else {
        return *static_cast<const volatile T*>(address);
    }
}

#define SIMT_STORE(name)                                                            \
    template <class T>                                                              \
    SIMT_INLINE void name(T* address, typename ::simt::cuda::AsIs<T>::type value) { \
        *address = value;                                                           \
    }
SIMT_STORE(__stwb)
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
SIMT_STORE(__stwt)
#undef SIMT_STORE
