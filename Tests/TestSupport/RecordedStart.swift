// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// One start of a recording program, as the program itself observed it.
///
/// Compare `Array(text.utf8)` if the bytes matter, because Swift's `==` treats canonically equivalent texts as equal.
public struct RecordedStart: Sendable, CustomStringConvertible {
  /// The process ID (in the program's own namespace).
  public let processIdentifier: Int32
  /// The arguments after the program's own name.
  public let arguments: [String]
  /// The complete environment.
  public let environment: [String: String]
  /// The working directory.
  public let directory: String
  private let connection: RecorderConnection

  init?(line: [UInt8], connection: RecorderConnection) {
    struct Fields: Decodable {
      let pid: Int32
      let arguments: [String]
      let environment: [String: String]
      let directory: String
    }
    guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(line)) else { return nil }
    processIdentifier = fields.pid
    arguments = fields.arguments
    environment = fields.environment
    directory = fields.directory
    self.connection = connection
  }

  /// Lets a held program exit with this status.
  public func release(exit status: Int32 = 0) {
    let text = "\(status)"
    send(connection.descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
  }

  /// The process ID and the arguments.
  public var description: String { "\(processIdentifier): \(arguments)" }
}

/// The connection to a recording program; releasing it closes it, which makes a held program exit.
final class RecorderConnection: Sendable {
  let descriptor: Int32
  init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }
}
