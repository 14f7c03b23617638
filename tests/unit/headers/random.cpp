// cuRAND's host library: which numbers come, what is refused, and what the checker sees of a call that writes device memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "tests/unit/headers/programs.h"

using lab::headers::run;
using lab::headers::text_of;

namespace {

// `body` is main()'s, with a generator g for device memory (XORWOW) and d_x of 100 floats; its first line is line 1.
lab::Run run_main(const std::string& body, const std::string& before = "") {
    return lab::headers::run_text(
        "#include <curand.h>\n#include <cuda_runtime.h>\n#include <cmath>\n#include "
        "<cstdio>\n#include <vector>\n"
        "#include <curand_kernel.h>\nstatic float h_x[100];\n" +
        before +
        "int main() {\ncurandGenerator_t g, h; cudaStream_t s; float* d_x;\n"
        "cudaMalloc(&d_x, 400); cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);\n"
        "curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);\n"
        "curandCreateGeneratorHost(&h, CURAND_RNG_PSEUDO_DEFAULT);\n#line 1\n" +
        body + "\n}\n");
}

lab::Finding found(const lab::Run& run, const std::string& kind, int line) {
    for (const lab::Finding& f : run.findings)
        if (f.kind == kind) {
            CHECK(f.at.line == line);
            return f;
        }
    FAIL_CHECK("no " << kind);
    return {};
}

int errors_of(const lab::Run& run) {
    return int(std::count_if(run.findings.begin(), run.findings.end(),
                             [](const lab::Finding& f) { return f.severity == lab::Severity::error; }));
}

// How many lines a program prints, each of which must be that of the text beside it.
int compared(const std::string& name, bool fast) {
    const lab::Run result = run(name + ".cu", fast);
    std::stringstream ours(result.output), theirs(text_of(name + ".txt"));
    std::string our_line, their_line;
    int lines = 0;
    for (; std::getline(theirs, their_line); ++lines) {
        std::getline(ours, our_line);
        CHECK(our_line == their_line);
    }
    CHECK(errors_of(result) == 0);
    return lines;
}

}  // namespace

TEST_CASE("host generators give cuRAND's own numbers") {
    CHECK(compared("curand_host", false) > 60);
}

TEST_CASE("device functions give cuRAND's own numbers, checked and in fast mode") {
    CHECK(compared("curand_device", false) == 10);
    CHECK(compared("curand_device", true) == 10);
}

TEST_CASE("Poisson numbers of any lambda, and Sobol points on the device and by the host library") {
    const lab::Run result = run_main(R"(
        return check();
    })"
                                     R"(
    __global__ void poisson(unsigned* d_out, double lambda) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        curandStatePhilox4_32_10_t state;
        curand_init(3, i, 0, &state);
        d_out[i] = curand_poisson(&state, lambda);
    }
    __global__ void sobol(float* d_out, unsigned* d_directions) {
        curandStateSobol32_t state;
        unsigned directions[32];
        for (int k = 0; k < 32; ++k) directions[k] = d_directions[k];
        curand_init(directions, 100, &state);
        for (int k = 0; k < 50; ++k) d_out[k] = curand_uniform(&state);
    }
    int check() {
        const int n = 8192;
        unsigned* d_out;
        std::vector<unsigned> k(n);
        cudaMalloc(&d_out, n * sizeof(unsigned));
        for (double lambda : {0.5, 63.0, 500.0, 100000.0}) {
            poisson<<<n / 256, 256>>>(d_out, lambda);
            cudaMemcpy(k.data(), d_out, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
            double mean = 0, square = 0;
            for (unsigned v : k) mean += double(v) / n, square += (v - lambda) * (v - lambda) / n;
            printf("%d", std::fabs(mean - lambda) < 5 * std::sqrt(lambda / n) && std::fabs(square / lambda - 1) < 0.1);
        }
        curandDirectionVectors32_t* all;
        curandGetDirectionVectors32(&all, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
        unsigned* d_directions;
        float *d_points, points[50], theirs[150];
        cudaMalloc(&d_directions, sizeof(all[0]));
        cudaMalloc(&d_points, sizeof points);
        cudaMemcpy(d_directions, all[2], sizeof(all[0]), cudaMemcpyHostToDevice);
        sobol<<<1, 1>>>(d_points, d_directions);
        cudaMemcpy(points, d_points, sizeof points, cudaMemcpyDeviceToHost);
        curandGenerator_t g;
        curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL32);
        curandSetQuasiRandomGeneratorDimensions(g, 3);
        curandSetGeneratorOffset(g, 100);
        curandGenerateUniform(g, theirs, 150);
        int same = 0;
        for (int i = 0; i < 50; ++i) same += points[i] == theirs[100 + i];
        printf(" %d", same);
        return 0;
    )",
                                     "int check();\n");
    CHECK(result.output == "1111 50");
    CHECK(errors_of(result) == 0);
}

TEST_CASE("a state that nobody has begun is memory that nothing wrote") {
    const lab::Run result = run_main(R"(
        return check();
    }
    __global__ void draw(curandState* d_states, float* d_out) {
        d_out[threadIdx.x] = curand_uniform(&d_states[threadIdx.x]);
    }
    int check() {
        curandState* d_states;
        float* d_out;
        cudaMalloc(&d_states, 4 * sizeof(curandState));
        cudaMalloc(&d_out, 4 * sizeof(float));
        draw<<<1, 4>>>(d_states, d_out);
        return cudaDeviceSynchronize();
    )",
                                     "int check();\n");
    found(result, "uninit-global", 5);
}

TEST_CASE("a device generator gives the host generator's numbers, over calls and streams") {
    const lab::Run result = run_main(
        "curandSetPseudoRandomGeneratorSeed(g, 9);\ncurandSetPseudoRandomGeneratorSeed(h, 9);\n"
        "curandSetStream(g, s);\n"
        "curandGenerateUniform(g, d_x, 40); curandGenerateUniform(g, d_x + 40, 60);\n"
        "float device[100]; cudaMemcpyAsync(device, d_x, 400, cudaMemcpyDeviceToHost, s);\n"
        "cudaStreamSynchronize(s);\n"
        "curandGenerateUniform(h, h_x, 40); curandGenerateUniform(h, h_x + 40, 60);\n"
        "int same = 0; for (int i = 0; i < 100; ++i) same += device[i] == h_x[i];\n"
        "printf(\"%d\", same);\ncurandDestroyGenerator(g); curandDestroyGenerator(h);");
    CHECK(result.output == "100");
    CHECK(errors_of(result) == 0);
}

TEST_CASE("generators that give other numbers than cuRAND's have the right distributions") {
    const lab::Run result = run_main(R"(
        auto show = [](curandRngType_t type, curandOrdering_t order) {
            curandGenerator_t g;
            curandCreateGeneratorHost(&g, type);
            curandSetPseudoRandomGeneratorSeed(g, 5);
            curandSetGeneratorOrdering(g, order);
            const int n = 100000;
            std::vector<float> x(n);
            std::vector<unsigned> k(n);
            double mean = 0, square = 0, low = 0, count = 0, count_square = 0;
            curandGenerateNormal(g, x.data(), n, 3, 2);
            for (float v : x) mean += v / n, square += (v - 3) * (v - 3) / n;
            curandGenerateUniform(g, x.data(), n);
            for (float v : x) low += v < 0.25f;
            for (double lambda : {4.0, 2000.0}) {
                count = count_square = 0;
                curandGeneratePoisson(g, k.data(), n, lambda);
                for (unsigned v : k) count += double(v) / n, count_square += (v - lambda) * (v - lambda) / n;
                printf("%d", std::fabs(count - lambda) < 5 * std::sqrt(lambda / n) && std::fabs(count_square / lambda - 1) < 0.04);
            }
            printf("%d%d%d\n", std::fabs(mean - 3) < 0.03, std::fabs(square - 4) < 0.1, std::fabs(low / n - 0.25) < 0.01);
            curandDestroyGenerator(g);
        };
        show(CURAND_RNG_PSEUDO_MT19937, CURAND_ORDERING_PSEUDO_DEFAULT);
        show(CURAND_RNG_PSEUDO_MTGP32, CURAND_ORDERING_PSEUDO_DEFAULT);
        show(CURAND_RNG_PSEUDO_XORWOW, CURAND_ORDERING_PSEUDO_SEEDED);
        show(CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_ORDERING_PSEUDO_DEFAULT);
    )");
    CHECK(result.output == "11111\n11111\n11111\n11111\n");
}

TEST_CASE("what cuRAND refuses gets its status and a sentence") {
    const auto status = [](const std::string& call) {
        const lab::Run result = run_main("printf(\"%d\", int(" + call + "));");
        CHECK(found(result, "api-misuse", 1).message.find("is refused") != std::string::npos);
        return result.output;
    };
    CHECK(status("curandGenerateNormal(g, d_x, 3, 0, 1)") == "105");
    CHECK(status("curandSetQuasiRandomGeneratorDimensions(g, 2)") == "103");
    CHECK(status("curandGenerateLongLong(g, (unsigned long long*)d_x, 2)") == "103");
    CHECK(status("curandGeneratePoisson(g, (unsigned*)d_x, 4, 0)") == "104");
    CHECK(status("curandGenerateUniform(nullptr, d_x, 4)") == "101");
    CHECK(status("curandCreateGenerator(&g, curandRngType_t(7))") == "103");
    CHECK(status("curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT)") == "104");
}

TEST_CASE("the output of a draw is checked like a kernel's stores") {
    const lab::Finding over =
        found(run_main("curandGenerateUniform(g, d_x, 101);\ncudaDeviceSynchronize();"), "oob-global", 1);
    CHECK(over.message.find("curandGenerateUniform") != std::string::npos);
    CHECK(over.fix.find("leading") == std::string::npos);
    found(run_main("curandGenerateUniform(g, h_x, 4);\ncudaDeviceSynchronize();"), "host-pointer", 1);
    found(run_main("curandGenerateUniform(h, d_x, 4);"), "device-pointer-on-host", 1);
    found(run_main("cudaFree(d_x);\ncurandGenerateUniform(g, d_x, 4);\ncudaDeviceSynchronize();"),
          "use-after-free", 2);
    const lab::Finding race = found(run_main("curandSetStream(g, s);\ncurandGenerateUniform(g, d_x, "
                                             "100);\ncudaMemcpy(h_x, d_x, 400, cudaMemcpyDeviceToHost);"),
                                    "stream-race", 3);
    CHECK(race.message.find("curandGenerateUniform") != std::string::npos);
}

TEST_CASE("generators and draws are counted with the other libraries' handles and calls") {
    const lab::Run result = run_main(
        "curandSetStream(g, s);\nfor (int i = 0; i < 3; ++i) curandGenerateUniform(g, d_x, 100);\n"
        "cudaStreamSynchronize(s);");
    REQUIRE(result.timelines.size() == 1);
    const lab::Metrics& metrics = result.timelines[0].metrics;
    CHECK(metrics.at("library_calls") == 3);
    CHECK(metrics.at("library_handles") == 2);
    CHECK(metrics.at("library_calls_in_default_stream") == 0);
}
