// gcc's assembler text -> the same text with the tables that abi.h describes at its end: what line each call
// stands on, and how far each loop reaches. Reads AT&T syntax as g++ 12 and later write it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace simt::frontend {

// The files of all objects of one program. Its order is that of simt_files.
class FileTable {
  public:
    unsigned index(const std::string& name);
    const std::vector<std::string>& names() const { return names_; }

  private:
    std::vector<std::string> names_;
    std::unordered_map<std::string, unsigned> index_;
};

struct TableOptions {
    // Files that begin with one of these are not the learner's: code that was inlined from there counts for
    // the learner's statement around it (flag bit 0).
    std::vector<std::string> foreign_prefixes;
    // Leave gcc's own debugging information out: the tables replace it, and `as` has less to read.
    bool drop_debug = true;
    // The last object of the program also gets simt_files and simt_tables.
    bool last = true;
};

struct TableResult {
    std::string text;
    size_t sites = 0, loops = 0;
};

TableResult add_tables(std::string_view assembler, FileTable& files, const TableOptions& options);

}  // namespace simt::frontend
