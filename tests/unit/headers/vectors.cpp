// A vector type moves as one access in checked mode: what the compiler announces for it.
#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "tests/unit/scratch.h"

namespace {

constexpr const char* snippets = R"(
extern "C" {
void copy_float4(float4* a, float4* b) { b[1] = a[2]; }
void read_two_members(float4* a, float* o) { float4 v = a[0]; o[0] = v.x + v.y; }
void add(float4* a, float4* b, float4* c) {
    float4 x = a[0], y = b[0];
    c[0] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
void braces(float4* a, float s) { a[1] = {s, 1, s, 2}; }
void change_one_member(float4* a) { float4 v = a[2]; v.x = 3; a[3] = v; }
void one_member(float4* a, float* o) { o[0] = a[3].z; }
void reinterpreted(float* a, float* b) { reinterpret_cast<float4*>(b)[1] = reinterpret_cast<const float4*>(a)[2]; }
void through_ldg(const int4* a, int4* b) { b[0] = __ldg(&a[1]); }
void choose(float4* a, float4* b, bool c) { float4 t = c ? a[0] : b[0]; b[1] = t; }
void copy_int2(int2* a, int2* b) { int2 v = a[1]; v.y += 1; b[0] = v; }
void copy_double2(double2* a, double2* b) { double2 v = a[1]; b[0] = make_double2(v.y, v.x); }
void copy_uchar4(uchar4* a, uchar4* b) { uchar4 v = a[1]; b[0] = make_uchar4(v.w, v.z, v.y, v.x); }
void copy_char2(char2* a, char2* b) { char2 v = a[1]; b[0] = make_char2(v.y, v.x); }
void copy_short4(short4* a, short4* b) { short4 v = a[1]; b[0] = make_short4(v.w, v.z, v.y, v.x); }
void copy_long4(long4_32a* a, long4_32a* b) { b[0] = a[1]; }
void copy_float3(float3* a, float3* b) { float3 v = a[1]; b[0] = make_float3(v.x, v.y, v.z); }
void indices(int* o) { o[0] = threadIdx.x + blockIdx.y * blockDim.x + gridDim.z + warpSize; }
void copied_indices(int* o) { uint3 t = threadIdx; dim3 d = blockDim; o[0] = t.x + d.y; }
void two_dimensions(float2* a, float* o, int n) {
    float2 sum = {0};
    for (int i = 0; i < n; i++) { float2 v = a[i]; sum.x += v.x; sum.y += v.y; }
    o[0] = sum.x + sum.y;
}
}
)";

// Function -> its accesses in the order of the code, "r16 w16".
std::map<std::string, std::string> announced() {
    const lab::Scratch scratch;
    scratch.write("snippets.cpp", snippets);
    const std::string command =
        "g++ -std=gnu++20 -O1 -fno-thread-jumps -fno-reorder-blocks -fsanitize=thread --param "
        "tsan-distinguish-volatile=1 -ftrivial-auto-var-init=pattern -fno-builtin-memcpy -DSIMT_CHECKED=1 "
        "-I" SIMT_INCLUDE " -include cuda_runtime.h -S -o - " +
        (scratch / "snippets.cpp").string();
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::map<std::string, std::string> result;
    std::string function;
    std::array<char, 4096> buffer{};
    while (fgets(buffer.data(), buffer.size(), pipe.get()) != nullptr) {
        const std::string line = buffer.data();
        if (line[0] != '\t' && line[0] != '.' && line.find(':') != line.npos)
            function = line.substr(0, line.find(':'));
        const size_t at = line.find("call\t__tsan_");
        if (at == line.npos || line.find("func_") != line.npos) continue;
        std::string name = line.substr(at + 12);
        name = name.substr(0, name.find_first_of("@\n"));
        std::string& accesses = result[function];
        if (!accesses.empty()) accesses += ' ';
        accesses += name.rfind("read", 0) == 0    ? "r" + name.substr(4)
                    : name.rfind("write", 0) == 0 ? "w" + name.substr(5)
                                                  : name;
    }
    return result;
}

}  // namespace

TEST_CASE("a vector type moves as one access, three members as three, and an index as none") {
    auto seen = announced();
    CHECK(seen["copy_float4"] == "r16 w16");
    CHECK(seen["read_two_members"] == "r16 w4");
    CHECK(seen["add"] == "r16 r16 w16");
    CHECK(seen["braces"] == "w16");
    CHECK(seen["change_one_member"] == "r16 w16");
    CHECK(seen["one_member"] == "r4 w4");
    CHECK(seen["reinterpreted"] == "r16 w16");
    CHECK(seen["through_ldg"] == "r16 w16");
    CHECK(seen["choose"] == "r16 w16");
    CHECK(seen["copy_int2"] == "r8 w8");
    CHECK(seen["copy_double2"] == "r16 w16");
    CHECK(seen["copy_uchar4"] == "r4 w4");
    CHECK(seen["copy_char2"] == "r2 w2");
    CHECK(seen["copy_short4"] == "r8 w8");
    CHECK(seen["copy_long4"] == "r16 r16 w16 w16");
    CHECK(seen["copy_float3"] == "r4 r4 r4 w4 w4 w4");
    CHECK(seen["indices"] == "w4");
    CHECK(seen["copied_indices"] == "w4");
    CHECK(seen["two_dimensions"] == "r8 w4");
}
