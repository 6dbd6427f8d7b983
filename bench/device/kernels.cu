// The kernels of kernels.mlir in CUDA C++, with the same orderings. Parameters are those of the
// kernel ABI: an extent follows each buffer, so that both take the same launch.
//
//   nvcc -O3 -arch=sm_90 -cubin kernels.cu

#define RELAXED __NV_ATOMIC_RELAXED
#define DEVICE __NV_THREAD_SCOPE_DEVICE

typedef unsigned u32;
typedef unsigned long long u64;

extern "C" {

__global__ void histogram(u32 *bins, u64, const u32 *data, u64, u32 n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[data[i]], 1u);
}

__global__ void counter_unused(u32 *m, u64, const u32 *place, u64, u32 *out, u64, u32 n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&m[place[i]], 1u);
}

__global__ void counter_used(u32 *m, u64, const u32 *place, u64, u32 *out, u64, u32 n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = atomicAdd(&m[place[i]], 1u);
}

__global__ void uniform_unused(u32 *m, u64, const u32 *place, u64, u32 *out, u64, u32 n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(m, 1u);
}

__global__ void uniform_used(u32 *m, u64, const u32 *place, u64, u32 *out, u64, u32 n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = atomicAdd(m, 1u);
}

__global__ void float_add(float *m, u64, const u32 *place, u64, const float *values, u64, u32 n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&m[place[i]], values[i]);
}

// CUDA C++ has no atomic minimum of floats. With integers, as it is usually written by hand; wrong
// where memory holds a NaN.
__global__ void float_min_trick(float *m, u64, const u32 *place, u64, const float *values, u64, u32 n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float *address = &m[place[i]];
    float value = values[i];
    if (value >= 0)
      atomicMin((int *)address, __float_as_int(value));
    else
      atomicMax((u32 *)address, __float_as_uint(value));
  }
}

// With a compare-and-swap loop, as the CUDA C++ Programming Guide writes what is missing.
__global__ void float_min_loop(float *m, u64, const u32 *place, u64, const float *values, u64, u32 n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    u32 *address = (u32 *)&m[place[i]];
    float value = values[i];
    u32 old = __nv_atomic_load_n(address, RELAXED, DEVICE), assumed;
    do {
      assumed = old;
      old = atomicCAS(address, assumed, __float_as_uint(fminf(value, __uint_as_float(assumed))));
    } while (assumed != old);
  }
}

// The same, leaving at once where memory is small enough.
__global__ void float_min_loop_early(float *m, u64, const u32 *place, u64, const float *values, u64, u32 n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    u32 *address = (u32 *)&m[place[i]];
    float value = values[i];
    u32 old = __nv_atomic_load_n(address, RELAXED, DEVICE);
    while (!(__uint_as_float(old) <= value)) {
      u32 assumed = old;
      old = atomicCAS(address, assumed, __float_as_uint(value));
      if (assumed == old)
        break;
    }
  }
}

__global__ void distinct_relaxed(u32 *m, u64, u32 *out, u64, u32 n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __nv_atomic_fetch_add(&m[i], 1u, RELAXED, DEVICE);
}

__global__ void distinct_acq_rel(u32 *m, u64, u32 *out, u64, u32 n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __nv_atomic_fetch_add(&m[i], 1u, __NV_ATOMIC_ACQ_REL, DEVICE);
}

__global__ void distinct_seq_cst(u32 *m, u64, u32 *out, u64, u32 n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __nv_atomic_fetch_add(&m[i], 1u, __NV_ATOMIC_SEQ_CST, DEVICE);
}

}
