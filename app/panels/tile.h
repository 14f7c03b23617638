// The tile: one block's shared memory as it fills and is read, access by access, with the barriers between,
// and the 32 banks of the access in hand. A word that one thread writes and another reads with no barrier
// between is red.
#pragma once

#include <vector>

#include "app/panels/cells.h"
#include "app/panels/panel.h"
#include "app/panels/run_choice.h"
#include "app/panels/warp_accesses.h"

namespace lab {

class Tile : public Panel {
  public:
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    void configure(const std::map<std::string, std::string>& options) override;
    float height_for(float width, float most) override;

  private:
    struct Word {
        int written = -1, read = -1;  // when first, as a place in accesses_; -1: never
        bool hazard = false;
    };
    void derive();
    void show_block(uint32_t block);
    void find_hazards();
    int guess_columns() const;
    int64_t word_of(uint64_t address) const { return int64_t((address - base_) / word_bytes); }
    void draw_steps();
    CellGrid fit_words(float width, float height) const;
    void draw_words(Cursor& cursor, CellGrid grid);
    void draw_banks(float width) const;
    void explain_word(int64_t word) const;
    std::string access_text(const WarpAccess& access) const;

    RunChoice choice_;
    std::vector<WarpAccess> all_;       // of the launch
    std::vector<WarpAccess> accesses_;  // of the shown block, by barrier, step and warp
    std::vector<uint32_t> blocks_;      // that touch shared memory
    std::vector<Word> words_;
    std::vector<char> in_hand_;  // words of the shown access
    uint64_t base_ = 0;
    int columns_ = 0, fixed_columns_ = 0;
    int hazards_ = 0;
    size_t block_ = 0;  // index into blocks_
    int shown_ = 0;     // of accesses_
};

}  // namespace lab
