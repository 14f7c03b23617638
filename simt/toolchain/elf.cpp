#include "simt/toolchain/elf.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <unordered_set>

#include "simt/toolchain/files.h"

namespace simt::toolchain {
namespace {

struct DynamicSymbols {
    std::vector<std::string> wanted;  // undefined, and not weak
    std::unordered_set<std::string> defined;
};

template <class T>
bool read_at(const std::string& file, size_t offset, T& value) {
    if (offset > file.size() || file.size() - offset < sizeof(T)) return false;
    std::memcpy(&value, file.data() + offset, sizeof(T));
    return true;
}

std::string string_at(const std::string& file, const Elf64_Shdr& strings, size_t offset) {
    if (offset >= strings.sh_size || strings.sh_offset + strings.sh_size > file.size()) return "";
    const char* begin = file.data() + strings.sh_offset + offset;
    return std::string(begin, strnlen(begin, strings.sh_size - offset));
}

DynamicSymbols dynamic_symbols(const std::string& path) {
    DynamicSymbols symbols;
    const auto file = read_file(path);
    Elf64_Ehdr head;
    if (!file || !read_at(*file, 0, head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64)
        return symbols;
    for (size_t i = 0; i < head.e_shnum; i++) {
        Elf64_Shdr table, strings;
        if (!read_at(*file, head.e_shoff + i * head.e_shentsize, table) || table.sh_type != SHT_DYNSYM)
            continue;
        if (!read_at(*file, head.e_shoff + table.sh_link * head.e_shentsize, strings)) continue;
        for (size_t k = 1; k < table.sh_size / sizeof(Elf64_Sym); k++) {
            Elf64_Sym symbol;
            if (!read_at(*file, table.sh_offset + k * sizeof symbol, symbol)) break;
            const std::string name = string_at(*file, strings, symbol.st_name);
            if (symbol.st_shndx != SHN_UNDEF)
                symbols.defined.insert(name);
            else if (ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL)
                symbols.wanted.push_back(name);
        }
    }
    return symbols;
}

std::string readable(const std::string& name) {
    int status = 0;
    char* plain = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    const std::string out = plain != nullptr ? plain : name;
    std::free(plain);
    return out;
}

}  // namespace

std::vector<std::string> undefined_functions(const std::string& program, const std::string& library) {
    std::vector<std::string> missing;
    if (library.empty()) return missing;
    const DynamicSymbols machine = dynamic_symbols(library);
    if (machine.defined.empty()) return missing;
    for (const std::string& name : dynamic_symbols(program).wanted) {
        if (machine.defined.count(name) || dlsym(RTLD_DEFAULT, name.c_str()) != nullptr) continue;
        missing.push_back(readable(name));
    }
    return missing;
}

}  // namespace simt::toolchain
