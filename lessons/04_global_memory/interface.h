// What exercise 04, its solution and its grader agree on.
//
// All functions return a cudaError_t as an int: 0 (cudaSuccess), or the first error that CUDA reported. Pointers that
// begin with d_ lead to device memory, those that begin with h_ to host memory. n is at least 1.
#pragma once

// 32 bytes, as many as a sector of global memory has.
struct Particle {
    float x, y, z, mass;
    float vx, vy, vz, charge;  // vx, vy, vz: the velocity
};

// The same eight fields, numbered.
enum Field { field_x, field_y, field_z, field_mass, field_vx, field_vy, field_vz, field_charge, fields };

// d_out[i] = d_in[offset + i * stride], for n elements of `element_bytes` bytes each (1, 2, 4, 8 or 16). Both arrays
// begin at a multiple of 256 bytes. stride and offset count elements, and are at least 0.
extern "C" int read_strided(const void* d_in, void* d_out, int n, int stride, int offset, int element_bytes);

// Slows n particles down: each component of the velocity becomes factor * component, and no less than -limit, no more
// than limit. *h_clipped: how many components the limit has changed, in this call. No component is a NaN.
extern "C" int scale_aos(Particle* d_particles, int n, float factor, float limit, unsigned int* h_clipped);

// The same, where each field has an array of its own: field f of particle i is d_soa[f * pitch + i]. pitch is at
// least n. What lies between n and pitch, in any field, belongs to nobody: it is not read and not changed.
extern "C" int scale_soa(float* d_soa, int n, int pitch, float factor, float limit, unsigned int* h_clipped);

// Device memory of cudaMalloc for n particles, a field behind the other: *pitch is the smallest multiple of 32 that is not below n, so that
// each field begins with a new line of 128 bytes. The caller gives *d_soa to free_soa when done. Where there is not
// enough memory, the error comes back.
extern "C" int make_soa(int n, float** d_soa, int* pitch);
extern "C" int free_soa(float* d_soa);

// Copies n particles into the fields, field f of particle i to d_soa[f * pitch + i]. d_particles begins at a multiple
// of 16 bytes.
extern "C" int to_soa(const Particle* d_particles, float* d_soa, int n, int pitch);
