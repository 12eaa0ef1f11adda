/// Stops the program, as a finding, unless a promise is kept.
public func promise(_ isKept: Bool, _ what: @autoclosure () -> String) {
  if !isKept { fatalError("broken promise: " + what()) }
}
