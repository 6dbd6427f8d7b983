// RUN: xpu-opt %s --xpu-assign-ordering | FileCheck %s --check-prefixes=CHECK,ACQREL
// RUN: xpu-opt %s --xpu-assign-ordering=default=acq_rel | FileCheck %s --check-prefixes=CHECK,ACQREL
// RUN: xpu-opt %s --xpu-assign-ordering=default=relaxed | FileCheck %s --check-prefixes=CHECK,RELAXED
// RUN: xpu-opt %s --xpu-assign-ordering=default=seq_cst | FileCheck %s --check-prefixes=CHECK,SEQCST

// A load gets the acquiring half of the default, a store the releasing half.
// CHECK-LABEL: func.func @absent(
func.func @absent(%m: memref<?xi32>, %v: i32, %i: index) {
  // ACQREL:  xpu.atomic_rmw add {{.*}} ordering(acq_rel) :
  // RELAXED: xpu.atomic_rmw add {{.*}} ordering(relaxed) :
  // SEQCST:  xpu.atomic_rmw add {{.*}} ordering(seq_cst) :
  %0 = xpu.atomic_rmw add %v, %m[%i] : memref<?xi32>
  // ACQREL:  xpu.cas {{.*}} ordering(acq_rel) failure(acquire) :
  // RELAXED: xpu.cas {{.*}} ordering(relaxed) failure(relaxed) :
  // SEQCST:  xpu.cas {{.*}} ordering(seq_cst) failure(seq_cst) :
  %1 = xpu.cas %v, %v, %m[%i] : memref<?xi32>
  // ACQREL:  xpu.cas {{.*}} ordering(acq_rel) failure(relaxed) :
  // RELAXED: xpu.cas {{.*}} ordering(relaxed) failure(relaxed) :
  // SEQCST:  xpu.cas {{.*}} ordering(seq_cst) failure(relaxed) :
  %2 = xpu.cas %v, %v, %m[%i] failure(relaxed) : memref<?xi32>
  // ACQREL:  xpu.atomic_load {{.*}} ordering(acquire) :
  // RELAXED: xpu.atomic_load {{.*}} ordering(relaxed) :
  // SEQCST:  xpu.atomic_load {{.*}} ordering(seq_cst) :
  %3 = xpu.atomic_load %m[%i] : memref<?xi32>
  // ACQREL:  xpu.atomic_store {{.*}} ordering(release) :
  // RELAXED: xpu.atomic_store {{.*}} ordering(relaxed) :
  // SEQCST:  xpu.atomic_store {{.*}} ordering(seq_cst) :
  xpu.atomic_store %v, %m[%i] : memref<?xi32>
  return
}

// What is there stays, and an absent failure follows from it.
// CHECK-LABEL: func.func @kept(
func.func @kept(%m: memref<?xi32>, %v: i32, %i: index) {
  // CHECK: xpu.atomic_rmw add {{.*}} ordering(release) scope(workgroup) :
  %0 = xpu.atomic_rmw add %v, %m[%i] ordering(release) scope(workgroup) : memref<?xi32>
  // CHECK: xpu.atomic_load {{.*}} ordering(relaxed) :
  %1 = xpu.atomic_load %m[%i] ordering(relaxed) : memref<?xi32>
  // CHECK: xpu.atomic_store {{.*}} ordering(seq_cst) :
  xpu.atomic_store %v, %m[%i] ordering(seq_cst) : memref<?xi32>
  // CHECK: xpu.fence ordering(acquire)
  xpu.fence ordering(acquire)
  // CHECK: xpu.cas {{.*}} ordering(relaxed) failure(relaxed) :
  %2 = xpu.cas %v, %v, %m[%i] ordering(relaxed) : memref<?xi32>
  // CHECK: xpu.cas {{.*}} ordering(acquire) failure(acquire) :
  %3 = xpu.cas %v, %v, %m[%i] ordering(acquire) : memref<?xi32>
  // CHECK: xpu.cas {{.*}} ordering(release) failure(relaxed) :
  %4 = xpu.cas %v, %v, %m[%i] ordering(release) : memref<?xi32>
  // CHECK: xpu.cas {{.*}} ordering(acq_rel) failure(acquire) :
  %5 = xpu.cas %v, %v, %m[%i] ordering(acq_rel) : memref<?xi32>
  // CHECK: xpu.cas {{.*}} ordering(seq_cst) failure(seq_cst) :
  %6 = xpu.cas %v, %v, %m[%i] ordering(seq_cst) : memref<?xi32>
  // CHECK: xpu.cas {{.*}} ordering(seq_cst) failure(acquire) :
  %7 = xpu.cas %v, %v, %m[%i] ordering(seq_cst) failure(acquire) : memref<?xi32>
  return
}
