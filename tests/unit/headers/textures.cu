// What textures and surfaces return: weights, address modes, formats, layers, and the codes of calls that are refused.
// Floats are printed so that no bit is lost. textures.txt is what an H200
// printed (driver 580.159, CUDA 13.0).
// On a GPU it differs: a few filtered values, by their last bit or two; unit.headers_programs says how far
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

#define MUST(call)                                                                      \
    do {                                                                                \
        const cudaError_t error_ = (call);                                              \
        if (error_ != cudaSuccess) printf("%s: %s\n", #call, cudaGetErrorName(error_)); \
    } while (0)
#define SHOW(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

// ---- making textures ----

struct How {
    cudaTextureAddressMode mode = cudaAddressModeClamp;
    bool linear = false, normalized = false, as_float = false;
    float border[4] = {0, 0, 0, 0};
};

static cudaTextureObject_t texture_of(const cudaResourceDesc& resource, const How& how) {
    cudaTextureDesc d = {};
    for (int i = 0; i < 3; i++) d.addressMode[i] = how.mode;
    d.filterMode = how.linear ? cudaFilterModeLinear : cudaFilterModePoint;
    d.readMode = how.as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    d.normalizedCoords = how.normalized;
    for (int i = 0; i < 4; i++) d.borderColor[i] = how.border[i];
    cudaTextureObject_t texture = 0;
    MUST(cudaCreateTextureObject(&texture, &resource, &d, nullptr));
    return texture;
}

static cudaResourceDesc resource_of(cudaArray_t array) {
    cudaResourceDesc d = {};
    d.resType = cudaResourceTypeArray;
    d.res.array.array = array;
    return d;
}

// A 1D array has height 0; one of layers, layers.
template <class T>
cudaArray_t array_of(const T* data, size_t width, size_t height = 0, size_t depth = 0, unsigned flags = 0) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t array = nullptr;
    MUST(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth), flags));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr((void*)data, width * sizeof(T), width, height == 0 ? 1 : height);
    p.dstArray = array;
    p.extent = make_cudaExtent(width, height == 0 ? 1 : height, depth == 0 ? 1 : depth);
    p.kind = cudaMemcpyHostToDevice;
    MUST(cudaMemcpy3D(&p));
    return array;
}

// ---- fetching ----

enum Function { f1D, f2D, f3D, f1DLayered, f2DLayered, f1Dfetch };
struct At {
    float x, y, z;
    int i;
};

template <class T>
__global__ void fetch(cudaTextureObject_t t, Function function, const At* at, T* out, int n) {
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        const At a = at[k];
        if (function == f1D) out[k] = tex1D<T>(t, a.x);
        if (function == f2D) out[k] = tex2D<T>(t, a.x, a.y);
        if (function == f3D) tex3D(&out[k], t, a.x, a.y, a.z);
        if (function == f1DLayered) out[k] = tex1DLayered<T>(t, a.x, a.i);
        if (function == f2DLayered) tex2DLayered(&out[k], t, a.x, a.y, a.i);
        if (function == f1Dfetch) out[k] = tex1Dfetch<T>(t, a.i);
    }
}

template <class T>
std::vector<T> fetched(cudaTextureObject_t t, Function function, const std::vector<At>& at) {
    At* d_at;
    T* d_out;
    const int n = (int)at.size();
    MUST(cudaMalloc(&d_at, n * sizeof(At)));
    MUST(cudaMalloc(&d_out, n * sizeof(T)));
    MUST(cudaMemcpy(d_at, at.data(), n * sizeof(At), cudaMemcpyHostToDevice));
    fetch<T><<<1, 64>>>(t, function, d_at, d_out, n);
    std::vector<T> out(n);
    MUST(cudaMemcpy(out.data(), d_out, n * sizeof(T), cudaMemcpyDeviceToHost));
    cudaFree(d_at);
    cudaFree(d_out);
    return out;
}

static void print(float v) {
    printf(" %.9g", v);
}
static void print(int v) {
    printf(" %d", v);
}
static void print(unsigned v) {
    printf(" %u", v);
}
static void print(float2 v) {
    printf(" (%.9g %.9g)", v.x, v.y);
}
static void print(float4 v) {
    printf(" (%.9g %.9g %.9g %.9g)", v.x, v.y, v.z, v.w);
}
template <class T>
void print(T v) {
    printf(" (%lld", (long long)v.x);
    if constexpr (sizeof v > sizeof v.x) printf(" %lld", (long long)v.y);
    if constexpr (sizeof v > 2 * sizeof v.x) printf(" %lld %lld", (long long)v.z, (long long)v.w);
    printf(")");
}
static void print(unsigned char v) {
    print((int)v);
}
static void print(signed char v) {
    print((int)v);
}
static void print(short v) {
    print((int)v);
}
static void print(unsigned short v) {
    print((int)v);
}

template <class T>
void show(const char* what, cudaTextureObject_t t, Function function, const std::vector<At>& at) {
    printf("%s:", what);
    for (const T& v : fetched<T>(t, function, at)) print(v);
    printf("\n");
    cudaDestroyTextureObject(t);
}

static std::vector<At> along(float first, float step, int n) {
    std::vector<At> at;
    for (int k = 0; k < n; k++) at.push_back({first + step * (float)k, 0, 0, k});
    return at;
}

// ---- what is shown ----

static void weights() {
    const float ramp[] = {0, 256, 512, 768};
    cudaArray_t a = array_of(ramp, 4);
    const How linear{.linear = true};
    show<float>("every 256th", texture_of(resource_of(a), linear), f1D, along(0.5f, 1.0f / 256, 257));
    show<float>("every 1024th", texture_of(resource_of(a), linear), f1D, along(1.5f, 1.0f / 1024, 33));
    show<float>("close to a half", texture_of(resource_of(a), linear), f1D,
                {{0.501953f, 0, 0, 0},
                 {0.501954f, 0, 0, 0},
                 {0.505859f, 0, 0, 0},
                 {0.50586f, 0, 0, 0},
                 {1.498046f, 0, 0, 0},
                 {1.498047f, 0, 0, 0},
                 {1.498048f, 0, 0, 0}});
    cudaFreeArray(a);
    const float odd[] = {0.1f, 1.0f / 3, -7.7f, 1e10f, 1e-10f, 3.4e38f};
    a = array_of(odd, 6);
    show<float>("odd values", texture_of(resource_of(a), linear), f1D, along(0.5f, 0.109375f, 48));
    cudaFreeArray(a);
}

static void address_modes() {
    const float line[] = {1, 2, 4, 8};
    const cudaArray_t a = array_of(line, 4);
    const char* names[] = {"wrap", "clamp", "mirror", "border"};
    for (int mode = 0; mode < 4; mode++)
        for (const bool linear : {false, true})
            for (const bool normalized : {false, true}) {
                How how{.mode = (cudaTextureAddressMode)mode, .linear = linear, .normalized = normalized};
                how.border[0] = 100;
                char what[64];
                snprintf(what, sizeof what, "%s%s%s", names[mode], linear ? ", linear" : "",
                         normalized ? ", normalized" : "");
                show<float>(what, texture_of(resource_of(a), how), f1D,
                            normalized ? along(-2.1875f, 0.0625f, 70) : along(-2.25f, 0.25f, 40));
            }
    const cudaArray_t three = array_of(line, 3);
    show<float>("three elements, wrap",
                texture_of(resource_of(three), {.mode = cudaAddressModeWrap, .normalized = true}), f1D,
                along(-1, 1.0f / 12, 25));
    cudaFreeArray(three);
    show<float>("just below an edge", texture_of(resource_of(a), {}), f1D,
                {{0.99999f, 0, 0, 0},
                 {0.99999994f, 0, 0, 0},
                 {1.9999999f, 0, 0, 0},
                 {3.9999998f, 0, 0, 0},
                 {-0.0f, 0, 0, 0},
                 {1e9f, 0, 0, 0},
                 {-1e9f, 0, 0, 0}});
    cudaFreeArray(a);
}

static std::vector<At> plane_points() {
    std::vector<At> at;
    for (int y = -1; y < 9; y++)
        for (int x = -1; x < 7; x++)
            at.push_back({0.1f + 0.53f * x, 0.3f + 0.47f * y, 0.2f + 0.31f * (x + y), x});
    return at;
}

static void planes_and_volumes() {
    float plane[12], volume[24];
    for (int i = 0; i < 12; i++) plane[i] = (float)(i * i);
    for (int i = 0; i < 24; i++) volume[i] = 1000.0f / (float)(i + 1);
    const cudaArray_t a = array_of(plane, 4, 3), b = array_of(volume, 4, 3, 2);
    const cudaArray_t c = array_of(volume, 4, 3, 2, cudaArrayLayered),
                      d = array_of(volume, 12, 0, 2, cudaArrayLayered);
    show<float>("2D", texture_of(resource_of(a), {}), f2D, plane_points());
    show<float>("2D, linear", texture_of(resource_of(a), {.linear = true}), f2D, plane_points());
    show<float>("2D, linear, wrap, normalized",
                texture_of(resource_of(a), {.mode = cudaAddressModeWrap, .linear = true, .normalized = true}),
                f2D, plane_points());
    show<float>(
        "2D, linear, mirror, normalized",
        texture_of(resource_of(a), {.mode = cudaAddressModeMirror, .linear = true, .normalized = true}), f2D,
        plane_points());
    show<float>(
        "2D, linear, border",
        texture_of(resource_of(a), {.mode = cudaAddressModeBorder, .linear = true, .border = {-5, 0, 0, 0}}),
        f2D, plane_points());
    show<float>("3D", texture_of(resource_of(b), {}), f3D, plane_points());
    show<float>("3D, linear", texture_of(resource_of(b), {.linear = true}), f3D, plane_points());
    show<float>("2D layers, linear", texture_of(resource_of(c), {.linear = true}), f2DLayered,
                plane_points());
    show<float>("1D layers, linear", texture_of(resource_of(d), {.linear = true}), f1DLayered,
                plane_points());
    for (const cudaArray_t each : {a, b, c, d}) cudaFreeArray(each);
}

template <class T>
void integers(const char* name, const std::vector<T>& values) {
    const cudaArray_t a = array_of(values.data(), values.size());
    char what[80];
    snprintf(what, sizeof what, "%s", name);
    const int n = (int)values.size();
    show<T>(what, texture_of(resource_of(a), {}), f1D, along(0.5f, 1, n));
    snprintf(what, sizeof what, "%s as float", name);
    show<float>(what, texture_of(resource_of(a), {.as_float = true}), f1D, along(0.5f, 1, n));
    snprintf(what, sizeof what, "%s as float, linear", name);
    show<float>(what, texture_of(resource_of(a), {.linear = true, .as_float = true}), f1D,
                along(0.5f, 0.171875f, 6 * n));
    cudaFreeArray(a);
}

template <class T>
void vectors(const char* name, const std::vector<T>& values) {
    const cudaArray_t a = array_of(values.data(), values.size());
    show<T>(name, texture_of(resource_of(a), {}), f1D, along(0.5f, 1, (int)values.size()));
    cudaFreeArray(a);
}

static void formats() {
    integers<unsigned char>("unsigned char", {0, 1, 2, 100, 127, 128, 200, 254, 255});
    integers<signed char>("signed char", {-128, -127, -126, -100, -1, 0, 1, 100, 126, 127});
    integers<unsigned short>("unsigned short", {0, 1, 2, 1000, 32767, 32768, 50000, 65534, 65535});
    integers<short>("short", {-32768, -32767, -32766, -1000, -1, 0, 1, 1000, 32766, 32767});
    vectors<int>("int", {-2147483647 - 1, -1, 0, 1, 16777217, 2147483647});
    vectors<unsigned>("unsigned", {0, 1, 16777217, 4294967295u});
    vectors<char2>("char2", {{-128, 127}, {1, -1}});
    vectors<char4>("char4", {{-128, 127, 0, 5}, {1, -1, 2, -2}});
    vectors<uchar1>("uchar1", {{255}, {1}});
    vectors<uchar4>("uchar4", {{255, 127, 0, 5}, {1, 2, 3, 4}});
    vectors<short2>("short2", {{-32768, 32767}, {1, -1}});
    vectors<short4>("short4", {{-32768, 32767, 0, 5}, {1, -1, 2, -2}});
    vectors<ushort2>("ushort2", {{65535, 32767}, {1, 2}});
    vectors<ushort4>("ushort4", {{65535, 32767, 0, 5}, {1, 2, 3, 4}});
    vectors<int2>("int2", {{-1, 2147483647}, {3, 4}});
    vectors<int4>("int4", {{-1, 2147483647, 3, 4}, {5, 6, 7, 8}});
    vectors<uint4>("uint4", {{4294967295u, 2147483647, 3, 4}, {5, 6, 7, 8}});
    vectors<float2>("float2", {{0.1f, -2}, {3, 1e30f}});
    vectors<float4>("float4", {{0.1f, -2, 3, 1e30f}, {-0.0f, 5, 6, 1e-40f}});
    const uchar4 colors[] = {{0, 51, 102, 255}, {255, 204, 153, 0}};
    const cudaArray_t a = array_of(colors, 2);
    How how{.mode = cudaAddressModeBorder, .linear = true, .as_float = true};
    const float border[] = {0.25f, 0.5f, 0.75f, 1};
    std::memcpy(how.border, border, sizeof border);
    show<float4>("uchar4 as float4, linear, border", texture_of(resource_of(a), how), f1D,
                 along(-1, 0.28125f, 16));
    how.linear = how.as_float = false;
    how.border[0] = 7, how.border[1] = 200, how.border[2] = -1, how.border[3] = 1.5f;
    show<uchar4>("uchar4, border", texture_of(resource_of(a), how), f1D, along(-1, 0.5f, 9));
    const float2 pair[] = {{1.5f, 2.5f}};
    const cudaArray_t b = array_of(pair, 1);
    show<float4>("float4 of float2", texture_of(resource_of(b), {}), f1D, along(0.5f, 1, 1));
    show<float>("float of float2", texture_of(resource_of(b), {}), f1D, along(0.5f, 1, 1));
    cudaFreeArray(a);
    cudaFreeArray(b);
}

static void halves() {
    const unsigned short bits[] = {0x0000, 0x3c00, 0xc000, 0x7bff, 0x0001, 0x8001, 0x3555, 0x0400};
    const cudaChannelFormatDesc format = cudaCreateChannelDescHalf();
    cudaArray_t a;
    MUST(cudaMallocArray(&a, &format, 8));
    MUST(cudaMemcpy2DToArray(a, 0, 0, bits, sizeof bits, sizeof bits, 1, cudaMemcpyHostToDevice));
    show<float>("half", texture_of(resource_of(a), {}), f1D, along(0.5f, 1, 8));
    show<float>("half, linear", texture_of(resource_of(a), {.linear = true}), f1D, along(0.5f, 0.1875f, 38));
    cudaFreeArray(a);
}

template <class T>
cudaResourceDesc linear_resource(const T* device, int n) {
    cudaResourceDesc d = {};
    d.resType = cudaResourceTypeLinear;
    d.res.linear.devPtr = (void*)device;
    d.res.linear.desc = cudaCreateChannelDesc<T>();
    d.res.linear.sizeInBytes = n * sizeof(T);
    return d;
}

static void linear_memory() {
    const int numbers[] = {10, -20, 30, -40, 50};
    const uchar4 colors[] = {{0, 51, 102, 255}, {255, 204, 153, 0}};
    int* d_numbers;
    uchar4* d_colors;
    MUST(cudaMalloc(&d_numbers, sizeof numbers));
    MUST(cudaMalloc(&d_colors, sizeof colors));
    MUST(cudaMemcpy(d_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    MUST(cudaMemcpy(d_colors, colors, sizeof colors, cudaMemcpyHostToDevice));
    std::vector<At> at = along(0, 1, 5);
    show<int>("tex1Dfetch", texture_of(linear_resource(d_numbers, 5), {}), f1Dfetch, at);
    at.resize(2);
    show<uchar4>("tex1Dfetch of uchar4", texture_of(linear_resource(d_colors, 2), {}), f1Dfetch, at);
    show<float4>("the same as float4", texture_of(linear_resource(d_colors, 2), {.as_float = true}), f1Dfetch,
                 at);
    show<int>("outside", texture_of(linear_resource(d_numbers, 5), {}), f1Dfetch,
              {{0, 0, 0, -1}, {0, 0, 0, 5}, {0, 0, 0, 1000000}, {0, 0, 0, -2147483647}});
    show<uchar4>("outside, uchar4", texture_of(linear_resource(d_colors, 2), {}), f1Dfetch, {{0, 0, 0, 2}});
    show<float4>("outside, as float4", texture_of(linear_resource(d_colors, 2), {.as_float = true}), f1Dfetch,
                 {{0, 0, 0, 2}});

    float plane[3][5];
    for (int i = 0; i < 15; i++) plane[i / 5][i % 5] = (float)(i * i);
    float* d_plane;
    size_t pitch;
    MUST(cudaMallocPitch(&d_plane, &pitch, sizeof plane[0], 3));
    MUST(cudaMemcpy2D(d_plane, pitch, plane, sizeof plane[0], sizeof plane[0], 3, cudaMemcpyHostToDevice));
    cudaResourceDesc d = {};
    d.resType = cudaResourceTypePitch2D;
    d.res.pitch2D.devPtr = d_plane;
    d.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    d.res.pitch2D.width = 5;
    d.res.pitch2D.height = 3;
    d.res.pitch2D.pitchInBytes = pitch;
    show<float>("pitched", texture_of(d, {}), f2D, plane_points());
    show<float>("pitched, linear", texture_of(d, {.linear = true}), f2D, plane_points());
    cudaFree(d_numbers);
    cudaFree(d_colors);
    cudaFree(d_plane);
}

// ---- other functions ----

__global__ void gather(cudaTextureObject_t t, const At* at, float4* out, int n) {
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        out[2 * k] = tex2Dgather<float4>(t, at[k].x, at[k].y);
        out[2 * k + 1] = tex2Dgather<float4>(t, at[k].x, at[k].y, 1);
    }
}

__global__ void levels(cudaTextureObject_t t, float* out) {
    out[0] = tex2DLod<float>(t, 1.25f, 1.5f, 0);
    out[1] = tex2DLod<float>(t, 1.25f, 1.5f, 3);
    out[2] = tex2DGrad<float>(t, 1.25f, 1.5f, make_float2(0, 0), make_float2(0, 0));
    out[3] = tex2DGrad<float>(t, 1.25f, 1.5f, make_float2(1, 0), make_float2(0, 1));
    tex2DLod(&out[4], t, 1.25f, 1.5f, 0.5f);
}

static void other_functions() {
    float2 plane[12];
    float ramp[12];
    for (int i = 0; i < 12; i++) plane[i] = make_float2((float)i, 100 + (float)i), ramp[i] = (float)(i * i);
    const cudaArray_t a = array_of(plane, 4, 3, 0, cudaArrayTextureGather), b = array_of(ramp, 4, 3);
    const std::vector<At> at = {
        {0.5f, 0.5f, 0, 0}, {1, 1, 0, 0}, {1.4f, 1.6f, 0, 0}, {4, 3, 0, 0}, {-1, 2, 0, 0}};
    At* d_at;
    float4* d_out;
    MUST(cudaMalloc(&d_at, at.size() * sizeof(At)));
    MUST(cudaMalloc(&d_out, 10 * sizeof(float4)));
    MUST(cudaMemcpy(d_at, at.data(), at.size() * sizeof(At), cudaMemcpyHostToDevice));
    cudaTextureObject_t t = texture_of(resource_of(a), {});
    gather<<<1, 32>>>(t, d_at, d_out, 5);
    float4 out[10];
    MUST(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    printf("gather:");
    for (const float4& v : out) print(v);
    cudaDestroyTextureObject(t);
    t = texture_of(resource_of(b), {.linear = true});
    levels<<<1, 1>>>(t, (float*)d_out);
    float five[5];
    MUST(cudaMemcpy(five, d_out, sizeof five, cudaMemcpyDeviceToHost));
    printf("\nlevels:");
    for (const float v : five) print(v);
    printf("\n");
    cudaDestroyTextureObject(t);
    cudaFreeArray(a);
    cudaFreeArray(b);
    cudaFree(d_at);
    cudaFree(d_out);
}

// ---- surfaces ----

__global__ void write_plane(cudaSurfaceObject_t s) {  // 8 x 4 floats; some are outside
    const int x = (int)threadIdx.x - 1, y = (int)threadIdx.y - 1;
    const float v = (float)(100 * y + x);
    if (threadIdx.z == 0 && x >= 0 && x < 8 && y >= 0 && y < 4) surf2Dwrite(v, s, x * 4, y);
    if (threadIdx.z == 1 && (x < 0 || x >= 8)) surf2Dwrite(v, s, x * 4, y, cudaBoundaryModeZero);
}
__global__ void read_plane(cudaSurfaceObject_t s, float2* out) {
    const int x = (int)threadIdx.x - 1, y = (int)threadIdx.y - 1;
    float2& to = out[threadIdx.y * blockDim.x + threadIdx.x];
    to.x = surf2Dread<float>(s, x * 4, y, cudaBoundaryModeZero);
    surf2Dread(&to.y, s, x * 4, y, cudaBoundaryModeClamp);
}
__global__ void write_others(cudaSurfaceObject_t line, cudaSurfaceObject_t volume,
                             cudaSurfaceObject_t layers) {
    const int i = (int)threadIdx.x;
    surf1Dwrite(make_uchar4(i, 2 * i, 3 * i, 255 - i), line, i * (int)sizeof(uchar4));
    surf3Dwrite((short)(i - 2), volume, i % 2 * 2, i / 2 % 2, i / 4);
    surf2DLayeredwrite(make_int4(i, -i, i * i, 7), layers, i % 2 * 16, i / 2 % 2, i / 4);
}
__global__ void read_others(cudaSurfaceObject_t line, cudaSurfaceObject_t volume, cudaSurfaceObject_t layers,
                            int* out) {
    const int i = (int)threadIdx.x;
    const uchar4 c = surf1Dread<uchar4>(line, i * (int)sizeof(uchar4));
    const int4 v = surf2DLayeredread<int4>(layers, i % 2 * 16, i / 2 % 2, i / 4);
    out[3 * i] = c.x + 1000 * c.y + 1000000 * c.w;
    out[3 * i + 1] = surf3Dread<short>(volume, i % 2 * 2, i / 2 % 2, i / 4);
    out[3 * i + 2] = v.x + 10 * v.y + 100 * v.z + 10000 * v.w;
}

__global__ void other_widths(cudaSurfaceObject_t five, int4* out,
                             bool writes) {  // 5 x 2 ints: pairs of them, and their bytes
    if (writes) {
        for (int i = 0; i < 10; i++) surf2Dwrite(0x01010101 * (i + 1), five, i % 5 * 4, i / 5);
        surf2Dwrite(make_int2(1000, 2000), five, 8, 1);
        surf2Dwrite((unsigned char)255, five, 17, 0);
    } else {
        const int2 pair = surf2Dread<int2>(five, 8, 1);
        out[0] =
            make_int4(pair.x, pair.y, surf2Dread<short>(five, 16, 0), surf2Dread<unsigned char>(five, 17, 0));
        out[1] = surf2Dread<int4>(five, 0, 1);
    }
}

template <class T>
cudaArray_t surface_array(size_t width, size_t height, size_t depth, unsigned flags,
                          cudaSurfaceObject_t* surface) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t array = nullptr;
    MUST(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth),
                           flags | cudaArraySurfaceLoadStore));
    const cudaResourceDesc d = resource_of(array);
    MUST(cudaCreateSurfaceObject(surface, &d));
    return array;
}

static void surfaces() {
    cudaSurfaceObject_t plane, line, volume, layers;
    const cudaArray_t a = surface_array<float>(8, 4, 0, 0, &plane),
                      b = surface_array<uchar4>(8, 0, 0, 0, &line);
    const cudaArray_t c = surface_array<short>(2, 2, 2, 0, &volume);
    const cudaArray_t d = surface_array<int4>(2, 2, 2, cudaArrayLayered, &layers);
    float2* d_out;
    MUST(cudaMalloc(&d_out, 60 * sizeof(float2)));
    write_plane<<<1, dim3(10, 6, 2)>>>(plane);
    read_plane<<<1, dim3(10, 6)>>>(plane, d_out);
    float2 out[60];
    MUST(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    printf("surface, zero and clamp:");
    for (const float2& v : out) print(v);
    write_others<<<1, 8>>>(line, volume, layers);
    read_others<<<1, 8>>>(line, volume, layers, (int*)d_out);
    int others[24];
    MUST(cudaMemcpy(others, d_out, sizeof others, cudaMemcpyDeviceToHost));
    printf("\nother surfaces:");
    for (const int v : others) print(v);
    cudaSurfaceObject_t five;
    const cudaArray_t e = surface_array<int>(5, 2, 0, 0, &five);
    for (const bool writes : {true, false}) other_widths<<<1, 1>>>(five, (int4*)d_out, writes);
    int4 wide[2];
    MUST(cudaMemcpy(wide, d_out, sizeof wide, cudaMemcpyDeviceToHost));
    printf("\nother widths:");
    for (const int4& v : wide) print(v);
    printf("\n");
    MUST(cudaDestroySurfaceObject(five));
    MUST(cudaFreeArray(e));
    show<float>("the surface as a texture", texture_of(resource_of(a), {.linear = true}), f2D,
                plane_points());
    for (const cudaSurfaceObject_t s : {plane, line, volume, layers}) MUST(cudaDestroySurfaceObject(s));
    for (const cudaArray_t each : {a, b, c, d}) MUST(cudaFreeArray(each));
    cudaFree(d_out);
}

// ---- copies ----

static void copies() {
    int numbers[4][3][5], back[2][2][4];
    for (int i = 0; i < 60; i++) numbers[i / 15][i / 5 % 3][i % 5] = i;
    const cudaArray_t a = array_of(&numbers[0][0][0], 5, 3, 4);
    cudaMemcpy3DParms p = {};
    p.srcArray = a;
    p.srcPos = make_cudaPos(1, 1, 2);
    p.dstPtr = make_cudaPitchedPtr(back, sizeof back[0][0], 4, 2);
    p.extent = make_cudaExtent(4, 2, 2);
    p.kind = cudaMemcpyDeviceToHost;
    SHOW(cudaMemcpy3D(&p));
    printf("a part of the volume:");
    for (int i = 0; i < 16; i++) print(back[i / 8][i / 4 % 2][i % 4]);
    cudaPitchedPtr pitched;
    MUST(cudaMalloc3D(&pitched, make_cudaExtent(20, 3, 4)));
    printf("\ncudaMalloc3D: pitch %zu, %zu x %zu\n", pitched.pitch, pitched.xsize, pitched.ysize);
    MUST(cudaMemset3D(pitched, 1, make_cudaExtent(20, 3, 4)));
    p = {};
    p.srcArray = a;
    p.dstPtr = pitched;
    p.dstPos = make_cudaPos(4, 0, 1);
    p.extent = make_cudaExtent(4, 2, 2);
    p.kind = cudaMemcpyDeviceToDevice;
    SHOW(cudaMemcpy3D(&p));
    p = {};
    p.srcPtr = pitched;
    p.dstPtr = make_cudaPitchedPtr(numbers, 20, 5, 3);
    p.extent = make_cudaExtent(20, 3, 4);
    p.kind = cudaMemcpyDeviceToHost;
    SHOW(cudaMemcpy3D(&p));
    printf("through pitched memory:");
    for (int i = 0; i < 60; i++) print(numbers[i / 15][i / 5 % 3][i % 5]);
    printf("\n");
    int plane[12], part[4] = {0};
    for (int i = 0; i < 12; i++) plane[i] = i;
    const cudaArray_t b = array_of(plane, 4, 3), c = array_of(plane, 4, 3);
    SHOW(cudaMemcpy2DArrayToArray(c, 8, 1, b, 0, 0, 8, 2));
    SHOW(cudaMemcpy2DFromArray(part, 8, c, 8, 1, 8, 2, cudaMemcpyDeviceToHost));
    for (const int v : part) print(v);
    printf("\n");
    cudaChannelFormatDesc format;
    cudaExtent extent;
    unsigned flags;
    SHOW(cudaArrayGetInfo(&format, &extent, &flags, a));
    printf("%d %d %d %d %d; %zu %zu %zu; %u\n", format.x, format.y, format.z, format.w, format.f,
           extent.width, extent.height, extent.depth, flags);
    cudaFree(pitched.ptr);
    for (const cudaArray_t each : {a, b, c}) cudaFreeArray(each);
}

// ---- what is refused ----

static void codes() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(),
                                three = {8, 8, 8, 0, cudaChannelFormatKindUnsigned};
    const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<uchar4>();
    cudaArray_t a, b, c;
    float host[64] = {};
    SHOW(cudaMallocArray(&a, &three, 4, 4));
    SHOW(cudaMallocArray(&a, &format, 0, 4));
    SHOW(cudaMallocArray(&a, &format, 1 << 20, 4));
    SHOW(cudaMalloc3DArray(&a, &format, make_cudaExtent(4, 0, 4)));
    SHOW(cudaMalloc3DArray(&a, &format, make_cudaExtent(4, 4, 0), cudaArrayLayered));
    SHOW(cudaMallocArray(&a, &format, 4, 4));
    SHOW(cudaMallocArray(&b, &bytes, 4, 4));
    SHOW(cudaMallocArray(&c, &format, 4));
    SHOW(cudaMemcpy2DToArray(a, 0, 0, host, 16, 16, 5, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2DToArray(a, 4, 0, host, 16, 16, 1, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2DToArray(a, 0, 0, host, 8, 16, 4, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2DToArray(a, 0, 0, host, 16, 16, 4, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy2DToArray(a, 0, 0, host, 16, 16, 4, cudaMemcpyHostToDevice));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(host, 16, 4, 4);
    p.dstArray = a;
    p.kind = cudaMemcpyHostToDevice;
    p.extent = make_cudaExtent(4, 4, 0);
    SHOW(cudaMemcpy3D(&p));
    p.extent = make_cudaExtent(16, 4, 1);
    SHOW(cudaMemcpy3D(&p));
    p.extent = make_cudaExtent(4, 4, 2);
    SHOW(cudaMemcpy3D(&p));
    p.extent = make_cudaExtent(4, 4, 1);
    p.dstPtr = p.srcPtr;
    SHOW(cudaMemcpy3D(&p));
    cudaTextureObject_t t;
    cudaSurfaceObject_t s;
    cudaTextureDesc d = {};
    cudaResourceDesc r = resource_of(a);
    SHOW(cudaCreateSurfaceObject(&s, &r));
    SHOW(cudaCreateTextureObject(&t, &r, nullptr, nullptr));
    d.filterMode = cudaFilterModeLinear;
    r = resource_of(b);
    SHOW(cudaCreateTextureObject(&t, &r, &d, nullptr));
    d.filterMode = cudaFilterModePoint;
    float* buffer;
    MUST(cudaMalloc(&buffer, 1024));
    r = linear_resource(buffer + 1, 4);
    SHOW(cudaCreateTextureObject(&t, &r, &d, nullptr));
    r = linear_resource(buffer, 0);
    SHOW(cudaCreateTextureObject(&t, &r, &d, nullptr));
    r = linear_resource(host, 4);
    SHOW(cudaCreateTextureObject(&t, &r, &d, nullptr));
    d.readMode = cudaReadModeNormalizedFloat;
    r = linear_resource((int*)buffer, 4);
    SHOW(cudaCreateTextureObject(&t, &r, &d, nullptr));
    SHOW(cudaGetTextureObjectResourceDesc(&r, t));
    SHOW(cudaGetTextureObjectTextureDesc(&d, t));
    printf("%d %zu %d; %d\n", r.resType, r.res.linear.sizeInBytes, r.res.linear.devPtr == buffer, d.readMode);
    cudaResourceViewDesc view;
    SHOW(cudaGetTextureObjectResourceViewDesc(&view, t));
    SHOW(cudaDestroyTextureObject(t));
    SHOW(cudaDestroyTextureObject(0));
    SHOW(cudaFreeArray(nullptr));
    for (const cudaArray_t each : {a, b, c}) SHOW(cudaFreeArray(each));
    cudaFree(buffer);
}

int main() {
    weights();
    address_modes();
    planes_and_volumes();
    formats();
    halves();
    linear_memory();
    other_functions();
    surfaces();
    copies();
    codes();
    printf("last: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
