// SPDX-License-Identifier: Apache-2.0
/// The name of a container of Podman, which a program in it can read.
public struct ContainerName: Hashable, Sendable {
  /// The name in lower case, as the machine of the container's relay is called.
  public let text: String

  /// Reads the name from the content of `/run/.containerenv`, lines such as `name="fedora"`; `nil` if there is none that can be the name of
  /// a directory.
  public init?(ofDescription bytes: some Sequence<UInt8>) {
    let prefix = Array("name=\"".utf8)
    for line in Array(bytes).split(separator: UInt8(ascii: "\n")) where line.starts(with: prefix) {
      guard line.last == UInt8(ascii: "\""), line.count > prefix.count else { return nil }
      let name = line.dropFirst(prefix.count).dropLast()
      let isPlain = name.allSatisfy { byte in
        let letter = byte | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "._-".utf8.contains(byte)
      }
      guard isPlain, let first = name.first, first != UInt8(ascii: ".") else { return nil }
      let lower = name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
      text = String(decoding: lower, as: UTF8.self)
      return
    }
    return nil
  }
}
