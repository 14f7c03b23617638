// Common slips of people who are new to CUDA: what gcc says, and what it means.
#include <regex>

#include "simt/toolchain/diagnostics.h"

namespace simt::toolchain {
namespace {

struct Slip {
    const char* message;  // a regular expression that is found in gcc's message
    const char* line;     // one that is found in the learner's line; "" any
    const char* words;    // $1 is the message's first group
};

// The first that fits counts.
const Slip slips[] = {
    // Missing punctuation.
    {"^expected ';' before|^expected ',' or ';' before|^expected ';' at end", "<<<",
     "A ; is missing after this launch: kernel<<<grid, block>>>(arguments);"},
    {"^expected ';' before|^expected ',' or ';' before|^expected ';' at end", "",
     "A ; is missing here, at the end of the statement before."},
    {"^expected '\\}' at end of input", "", "A { is never closed: count the braces of the function above."},
    {"^a function-definition is not allowed here", "",
     "The function before this one isn't closed yet: a } is missing above."},

    // Misspelt names.
    {"^'(_?_?global_?_?|__globl__|__golbal__|__gloabl__|__glboal__|_global_)' does not name a type", "",
     "The word is __global__, with two underscores on each side."},
    {"^'(_?_?device_?_?|__devcie__|__deivce__)' does not name a type", "",
     "The word is __device__, with two underscores on each side."},
    {"^'(_?_?shared_?_?|__share__|__shraed__)' (was not declared|does not name)", "",
     "The word is __shared__, with two underscores on each side."},
    {"'__(shfl|shfl_up|shfl_down|shfl_xor|any|all|ballot)' was not declared", "",
     "__$1 was removed from CUDA: use __$1_sync, whose first argument is the mask of lanes that take part "
     "(0xffffffff for a whole warp)."},
    // Libraries.
    {"thrust/[^ ]*: No such file", "",
     "Thrust is a package of its own: install libthrust-dev (on Debian and Ubuntu: sudo apt install "
     "libthrust-dev)."},
    // Cooperative groups.
    {"'(reduce|reduce_store_async|reduce_update_async|plus|less|greater|bit_and|bit_or|bit_xor)' is not a "
     "member of '(cg|cooperative_groups)'",
     "", "$1 is in a header of its own: #include <cooperative_groups/reduce.h>"},
    {"'((inclusive|exclusive)_scan(_update)?)' is not a member of '(cg|cooperative_groups)'", "",
     "$1 is in a header of its own: #include <cooperative_groups/scan.h>"},
    {"'(memcpy_async|wait|wait_prior)' is not a member of '(cg|cooperative_groups)'", "",
     "$1 is in a header of its own: #include <cooperative_groups/memcpy_async.h>"},
    {"'this_cluster' is not a member of '(cg|cooperative_groups)'", "",
     "The CPU machine has no clusters of blocks: use one block, or the whole grid (this_grid, and a "
     "cooperative launch)."},
    {"'this_multi_grid' is not a member of '(cg|cooperative_groups)'", "",
     "CUDA 13 has no groups over several devices: launch a grid on each, and let the host wait for all."},
    {"'cooperative_groups::(thread_block|grid_group)::(thread_block|grid_group)\\(\\)' is private", "",
     "A group is not made, it is asked for: cooperative_groups::this_thread_block() or this_grid()."},
    {"'class cooperative_groups::(?:thread_block|thread_group|grid_group)' has no member named "
     "'(shfl\\w*|any|all|ballot|match_\\w+)'",
     "",
     "Only a group within a warp can do $1: a tile, whose size stands in <...> "
     "(tiled_partition<32>(block)), or coalesced_threads()."},
    // Textures, and what CUDA 12 removed of them.
    {"no matching function for call to '((tex[123]D|surf[123]D)\\w*)(<[^(]*>)?\\(", "",
     "$1 needs the type of the elements, written out, as in $1<float>(...): 1, 2 or 4 channels of char, "
     "short, "
     "int or float (no double, no float3). Check the number of coordinates, too."},
    {"^'texture' (does not name a (template )?type|was not declared)|^'texture' is not a template", "",
     "Texture references (texture<float, 2> tex) were removed in CUDA 12: make a texture object with "
     "cudaCreateTextureObject, pass it to the kernel as a cudaTextureObject_t, and read it with "
     "tex2D<float>(tex, x, y)."},
    {"^'surface' (does not name a (template )?type|was not declared)|^'surface' is not a template", "",
     "Surface references were removed in CUDA 12: make a surface object with cudaCreateSurfaceObject and "
     "pass it "
     "to the kernel as a cudaSurfaceObject_t."},
    {"'(cudaBindTexture\\w*|cudaUnbindTexture|cudaBindSurfaceToArray|cudaGetTextureReference|"
     "cudaGetTextureAlignmentOffset|cudaGetSurfaceReference)' was not declared",
     "",
     "$1 was removed in CUDA 12 with texture references: describe the memory in a cudaResourceDesc, make an "
     "object with cudaCreateTextureObject (or cudaCreateSurfaceObject), and pass it to the kernel."},
    {"'textureReference' (was not declared|does not name)", "",
     "Texture references were removed in CUDA 12: use cudaCreateTextureObject."},
    {"'[^']+' was not declared in this scope; did you mean '(threadIdx|blockIdx|blockDim|gridDim|warpSize)'",
     "", "CUDA's name is $1: upper and lower case matter, and the I in Idx is a capital i."},
    {"'[^']+' was not declared in this scope; did you mean "
     "'(__sync\\w+|cuda\\w+|atomic\\w+|__shfl\\w+|__ballot\\w+|dim3)'",
     "", "CUDA's name is $1: check the spelling, upper and lower case matter."},

    // Launches.
    {"^void value not ignored", "<<<",
     "A launch has no value: launch the kernel, then ask cudaGetLastError() whether it could start."},
    {"invalid conversion from '(\\w+)' to 'const void\\*'", "<<<",
     "The fourth value between <<< and >>> is a stream (cudaStream_t); here it is of type $1. The third is "
     "the bytes of dynamic shared memory."},
    {"too few arguments to function '.*config\\(", "<<<",
     "A launch needs at least two values between <<< and >>>: the number of blocks, then the threads a "
     "block."},
    {"couldn't deduce template parameter '(\\w+)'", "<<<",
     "The compiler can't tell $1 from the launch's arguments: write it out, as in kernel<float><<<grid, "
     "block>>>(...)."},
    {"deduced conflicting types for parameter '(\\w+)'", "<<<",
     "Two arguments of this launch ask for different types $1: give both the same type (1.0f is a float, 1 "
     "is an int), or write kernel<float><<<...>>>."},
    {"no matching function for call to '(simt::)?launch(_generic)?\\(", "<<<",
     "This isn't a kernel that can be launched as it stands: it must be a function declared __global__ void; "
     "a template needs its arguments in <...>."},

    // Shared memory.
    {"call to .(simt::)?shared<|variably modified type|not usable in a constant expression|is not a constant "
     "expression|array bound is "
     "not an integer constant",
     "__shared__",
     "The size of a __shared__ array must be known when the file is compiled. Use a constant (constexpr int, "
     "or a template parameter), or  extern __shared__ float name[];  with the "
     "size in bytes as the launch's third value."},

    // Indices and dim3.
    {"no match for 'operator.'.*operand types are '(uint3|dim3)'|no match for 'operator.'.*and "
     "'(uint3|dim3)'",
     "",
     "threadIdx, blockIdx, blockDim and gridDim have three parts each: write .x (or .y, .z) after each of "
     "them."},
    {"using rvalue as lvalue|assignment of member '[xyz]' in read-only object",
     "(thread|block)Idx|(block|grid)Dim",
     "threadIdx, blockIdx, blockDim and gridDim can't be assigned to: copy the value into a variable of your "
     "own."},
    {"base operand of '->' has non-pointer type '(uint3|dim3)'", "", "Write a dot: threadIdx.x."},
    {"no match for 'operator\\[\\]'.*operand types are "
     "'(float|double|int|uint|char|uchar|short|ushort)([1-4])'",
     "", "The parts of $1$2 are named, not numbered: .x, .y, .z, .w."},

    // Memory.
    {"no matching function for call to 'cudaMalloc(Managed|Host|Async)?\\((\\w+\\*)&?,", "",
     "cudaMalloc$1 needs the address of your pointer, to store the new memory's address there: "
     "cudaMalloc$1(&pointer, bytes)."},
    {"no matching function for call to 'cudaMalloc(Managed|Host)?\\([^,]*\\)'", "",
     "cudaMalloc$1 takes two values: the address of your pointer, and the number of bytes: "
     "cudaMalloc$1(&pointer, n * sizeof(float))."},
    {"to function 'cudaError_t cudaMemcpy\\(", "",
     "cudaMemcpy takes four values: where to, where from, how many bytes, and the direction "
     "(cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost)."},
    {"no matching function for call to 'atomic(\\w+)\\((float|int|unsigned int|double)&,", "",
     "atomic$1 takes an address, not a value: put & before the first argument."},
    {"^assignment of read-only location", "",
     "This points to const data, which can't be written: remove const from the parameter, or write to "
     "another array."},
    {"invalid types '(float|int|double|unsigned int|char)\\[\\w+( \\w+)*\\]' for array subscript", "",
     "This is a single $1, no array: an array parameter of a kernel is a pointer, as in  $1* data."},
    {"request for member '(\\w+)' in '(\\w+)', which is of non-class type '.*\\*'", "",
     "$2 is a pointer: write $2[i].$1 for one element, or $2->$1 for the first."},
    {"invalid conversion from 'const (.*)\\*' to '", "",
     "This points to const data, but a pointer to writable data is asked for: declare the kernel's parameter "
     "const $1*, or remove const here."},
    {"invalid conversion from '(int|float|double|size_t|unsigned int|long unsigned int)' to '(.*)\\*'", "",
     "A pointer is expected here and this is a number of type $1: pass the pointer itself, and check the "
     "order of the arguments."},
    {"invalid conversion from '(.*)\\*' to '(int|size_t|unsigned int|long unsigned int)'", "",
     "A number is expected here and this is a pointer: check the order of the arguments."},
    {"invalid conversion from 'int' to 'cudaError_t'", "",
     "cudaError_t is an enum: compare with and assign its names, such as cudaSuccess."},

    {"'(std::\\w+)' is defined in header '(<\\w+>)'", "", "Put  #include $2  at the top of the file."},

    // Kernels.
    {"^ISO C\\+\\+ forbids declaration of '(\\w+)' with no type", "__global__",
     "A kernel's type is missing: write  __global__ void $1(...)."},
};

// "float*, int" -> {"float*", "int"}
std::vector<std::string> split_types(const std::string& text) {
    std::vector<std::string> out;
    int depth = 0;
    std::string part;
    for (const char c : text) {
        if (c == '<' || c == '(') depth++;
        if (c == '>' || c == ')') depth--;
        if (c == ',' && depth == 0) {
            out.push_back(part);
            part.clear();
        } else if (c != ' ' || !part.empty()) {
            part += c;
        }
    }
    if (!part.empty()) out.push_back(part);
    return out;
}

std::string count_of(size_t n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string without_reference(std::string type) {
    while (!type.empty() && type.back() == '&') type.pop_back();
    return type;
}

// no match for call to '(Launcher<float*, int>) (float*&)'
std::string launch_words(const std::string& message) {
    static const std::regex pattern("no match for call to '\\((?:simt::)?Launcher<(.*)>\\) \\((.*)\\)'");
    std::smatch match;
    if (!std::regex_search(message, match, pattern)) return "";
    const std::vector<std::string> wants = split_types(match[1]), given = split_types(match[2]);
    if (wants.size() != given.size())
        return "The kernel has " + count_of(wants.size(), "parameter") + " (" + match[1].str() +
               ") and this launch passes " + count_of(given.size(), "argument") + ".";
    for (size_t i = 0; i < wants.size(); i++) {
        const std::string have = without_reference(given[i]);
        const bool pointers = wants[i].ends_with("*") != have.ends_with("*");
        const bool different_pointers =
            wants[i].ends_with("*") && have.ends_with("*") && wants[i] != have && wants[i] != "const " + have;
        if (pointers || different_pointers)
            return "Argument " + std::to_string(i + 1) + " of this launch is of type " + have +
                   " and the kernel's parameter is " + wants[i] +
                   ": check the order and the types of the arguments.";
    }
    return "The launch's arguments don't fit the kernel's parameters (" + match[1].str() + ").";
}

// Conversions whose target says what went wrong.
std::string conversion_words(const std::string& message) {
    std::smatch match;
    static const std::regex extent("convert .* from '(.*)' to '(?:simt::)?Extent'");
    if (std::regex_search(message, match, extent))
        return "The grid's and the block's size must each be a whole number or a dim3; this is of type " +
               match[1].str() + ".";
    static const std::regex parts("cannot convert '(uint3|dim3)' to");
    if (std::regex_search(message, match, parts))
        return "This has three parts (x, y, z) and can't be one number: write .x (or .y, .z) after it.";
    return "";
}

std::string fill(const std::string& words, const std::smatch& match) {
    std::string out;
    for (size_t i = 0; i < words.size(); i++) {
        if (words[i] == '$' && i + 1 < words.size() && words[i + 1] >= '1' && words[i + 1] <= '9')
            out += match[static_cast<size_t>(words[++i] - '0')].str();
        else
            out += words[i];
    }
    return out;
}

}  // namespace

std::string plain_words(const std::string& message, const std::string& line) {
    if (const std::string words = launch_words(message); !words.empty()) return words;
    if (const std::string words = conversion_words(message); !words.empty()) return words;
    for (const Slip& slip : slips) {
        std::smatch match;
        if (!std::regex_search(message, match, std::regex(slip.message))) continue;
        if (slip.line[0] != '\0' && !std::regex_search(line, std::regex(slip.line))) continue;
        return fill(slip.words, match);
    }
    return "";
}

}  // namespace simt::toolchain
