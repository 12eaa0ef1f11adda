// SPDX-License-Identifier: Apache-2.0
/// A container or other sandbox that reveals no application, as a prompt describes it.
public struct CallerContainer: Hashable, Sendable {
  /// The container's scope, which the kernel reports; `nil` if the process is in no such scope.
  public let scope: ContainerScope?
  /// The name that the container has according to a file in it, which any program in a sandbox can write.
  public let label: String?
  /// The path of the program as the sandbox sees it, where any path may lead to any program.
  public let program: String?

  /// Creates a container.
  public init(scope: ContainerScope?, label: String? = nil, program: String? = nil) {
    self.scope = scope
    self.label = label
    self.program = program
  }

  /// Returns the `name` in `/run/.containerenv`, with which Podman describes a container to itself.
  public static func label(in bytes: [UInt8]) -> String? {
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    where line.hasPrefix("name=") {
      let value = line.dropFirst("name=".count)
      return value.count > 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
        ? String(value.dropFirst().dropLast()) : nil
    }
    return nil
  }
}
