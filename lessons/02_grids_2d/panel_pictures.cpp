#include "lessons/02_grids_2d/panel_pictures.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lab::lesson_02_grids_2d {

namespace {

Picture picture_of(const ArrayValues& values) {
    Picture picture;
    picture.values = &values;
    picture.channels = values.name == "rgb" ? 3 : 1;
    picture.width = int64_t(values.columns) / picture.channels;
    const size_t bytes = std::max(values.got.size(), values.expected.size());
    if (picture.width <= 0 || values.element_bytes != 1) return picture;
    picture.height = int64_t(bytes) / picture.channels / picture.width;
    picture.output = values.role != "input";
    return picture;
}

void find_launch(Picture& picture, const std::vector<AccessIndex>& launches, size_t outputs_before) {
    const uint8_t wanted = picture.output ? was_written : was_read;
    for (size_t i = 0; i < launches.size() && picture.launch < 0; ++i)
        for (size_t b = 0; b < launches[i].buffers.size() && picture.launch < 0; ++b) {
            const IndexedBuffer& buffer = launches[i].buffers[b];
            if (buffer.name != picture.values->name) continue;
            picture.buffer = int(b);
            if (std::any_of(buffer.flags.begin(), buffer.flags.end(), [&](uint8_t f) { return f & wanted; }))
                picture.launch = int(i);
        }
    // Nothing was written: the launch that should have done it is the one in its turn.
    if (picture.launch < 0 && picture.output && outputs_before < launches.size())
        picture.launch = int(outputs_before);
    picture.columns_shown = picture.width;
    picture.rows_shown = picture.height;
    if (picture.launch < 0 || launches[size_t(picture.launch)].blocks == 0) return;
    const Kernel& kernel = launches[size_t(picture.launch)].kernel;
    picture.block = kernel.block;
    picture.grid = kernel.grid;
    const auto reach = [](int64_t length, int64_t block, int64_t blocks) {
        return std::max(length, std::min((length + block - 1) / block, blocks) * block);
    };
    picture.columns_shown = reach(picture.width, kernel.block.x, kernel.grid.x);
    picture.rows_shown = reach(picture.height, kernel.block.y, kernel.grid.y);
}

void find_marks(Picture& picture, const std::vector<AccessIndex>& launches, bool traced) {
    picture.marks.assign(size_t(picture.pixels()), Mark::none);
    if (!picture.output || picture.values->got.empty()) return;
    const AccessIndex* index = picture.index_in(launches);
    // Whether a pixel that no access of the trace wrote was written by nobody. A run without any access leaves
    // no trace.
    const std::string& got = picture.values->got;
    const bool blank_all =
        std::all_of(got.begin(), got.end(), [](char c) { return static_cast<unsigned char>(c) == poison; });
    const bool whole = (traced || blank_all) &&
                       std::all_of(launches.begin(), launches.end(),
                                   [](const AccessIndex& one) { return one.dropped == 0 && !one.sampled; });
    const IndexedBuffer* buffer =
        index && picture.buffer >= 0 ? &index->buffers[size_t(picture.buffer)] : nullptr;
    for (int64_t pixel = 0; pixel < picture.pixels(); ++pixel) {
        int64_t writer = -1;
        bool two = false;
        if (buffer && pixel < buffer->shown)
            for (uint32_t i = buffer->first[size_t(pixel)]; i < buffer->first[size_t(pixel) + 1]; ++i) {
                const Touch& touch = index->touches[buffer->order[i]];
                two |= touch.wrote && writer >= 0 && touch.thread != writer;
                if (touch.wrote) writer = touch.thread;
            }
        const bool wrong = picture.values->is_wrong(uint64_t(pixel));
        Mark& mark = picture.marks[size_t(pixel)];
        const bool blank = picture.byte(pixel, 0) == poison;  // the right grey may be the same byte
        if (writer < 0 && blank && (wrong || whole))
            mark = Mark::unwritten;
        else if (wrong)
            mark = Mark::wrong;
        else if (two)
            mark = Mark::contested;
        picture.wrong += mark == Mark::wrong;
        picture.unwritten += mark == Mark::unwritten;
        picture.contested += mark == Mark::contested;
    }
}

// The blur starts from the right grey picture, so that a mistake in the first kernel is seen once.
bool is_given_away(const Run& run, const ArrayValues& input) {
    return std::any_of(run.arrays.begin(), run.arrays.end(), [&](const ArrayValues& other) {
        return other.case_index == input.case_index && other.role != "input" && other.expected == input.got;
    });
}

}  // namespace

std::vector<Picture> pictures_of(const Run& run, int case_index, const std::vector<AccessIndex>& launches,
                                 bool traced) {
    std::vector<Picture> pictures;
    size_t outputs = 0;
    for (const ArrayValues& values : run.arrays) {
        if (values.case_index != case_index) continue;
        Picture picture = picture_of(values);
        if (picture.pixels() == 0 || (!picture.output && is_given_away(run, values))) continue;
        find_launch(picture, launches, outputs);
        outputs += picture.output;
        find_marks(picture, launches, traced);
        pictures.push_back(std::move(picture));
    }
    return pictures;
}

int most_pictures(const Run& run, int otherwise) {
    std::map<int, size_t> bytes;
    for (const ArrayValues& array : run.arrays)
        if (array.columns > 0 && array.role != "input") bytes[array.case_index] += array.got.size();
    int best = otherwise;
    for (const auto& [index, size] : bytes)
        if (size > bytes[best]) best = index;
    return best;
}

}  // namespace lab::lesson_02_grids_2d
