// SPDX-License-Identifier: Apache-2.0
/// The control group of one container: the scope unit that a container runtime made for it.
///
/// Runtimes name it `RUNTIME-ID.scope`, such as `libpod-3f2a….scope` for Podman, with the 64 hexadecimal digits of the
/// container's ID, which stays the same when the container is stopped and started again. Programs inside cannot leave
/// their group, and only create groups below it, so the first unit counts.
public struct ContainerScope: Hashable, Sendable {
  /// The name of the unit.
  public let unit: String
  /// The container's ID.
  public var id: Substring { unit.dropLast(Self.suffix.count).suffix(Self.idLength) }
  /// The runtime's part of the name, such as `libpod`.
  public var runtime: Substring { unit.dropLast(Self.suffix.count + Self.idLength + 1) }

  private static let suffix = ".scope"
  private static let idLength = 64

  /// Creates the scope of a unit; `nil` if its name is not that of a container's scope.
  public init?(unit: String) {
    guard unit.hasSuffix(Self.suffix) else { return nil }
    let name = unit.utf8.dropLast(Self.suffix.utf8.count)
    let id = name.suffix(Self.idLength)
    let runtime = name.dropLast(Self.idLength)
    guard id.count == Self.idLength,
      id.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      runtime.last == UInt8(ascii: "-"), (2...40).contains(runtime.count),
      runtime.allSatisfy({ (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") })
    else { return nil }
    self.unit = unit
  }

  /// Creates the scope that a user names: by its unit, or by the ID of one of Podman's containers.
  public init?(spelled text: String) {
    guard let scope = ContainerScope(unit: text) ?? ContainerScope(unit: "libpod-\(text)\(Self.suffix)")
    else {
      return nil
    }
    self = scope
  }
}
