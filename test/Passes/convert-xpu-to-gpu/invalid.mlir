// RUN: xpu-opt %s --convert-xpu-to-gpu -split-input-file -verify-diagnostics

xpu.kernel @direct() workgroup_size(1, 1, 1) {
  func.call @f() : () -> ()
  xpu.return
}
// expected-note @below {{the function is here}}
func.func @f() {
  // expected-error @below {{'func.call' op calls itself, but a kernel has no stack to recurse on; write a loop}}
  func.call @f() : () -> ()
  return
}

// -----

xpu.kernel @mutual() workgroup_size(1, 1, 1) {
  func.call @a() : () -> ()
  xpu.return
}
// expected-note @below {{the function is here}}
func.func @a() {
  func.call @b() : () -> ()
  return
}
func.func @b() {
  // expected-error @below {{'func.call' op calls itself}}
  func.call @a() : () -> ()
  return
}

// -----

// expected-note @below {{it is declared here}}
func.func private @elsewhere()
xpu.kernel @no_body() workgroup_size(1, 1, 1) {
  // expected-error @below {{'func.call' op calls a function that has no body; a kernel can call only what is in its module}}
  func.call @elsewhere() : () -> ()
  xpu.return
}
