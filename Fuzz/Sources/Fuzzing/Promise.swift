// SPDX-License-Identifier: Apache-2.0
/// Stops the program, which libFuzzer reports as a finding, unless a condition holds.
public func promise(_ isKept: Bool, _ what: @autoclosure () -> String) {
  if !isKept { fatalError("broken promise: " + what()) }
}
