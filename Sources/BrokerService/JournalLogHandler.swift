// SPDX-License-Identifier: Apache-2.0
import Glibc
public import Logging
import Systemd

/// A log handler that writes to the system journal with fields if standard error is connected to it, otherwise to standard error.
public struct JournalLogHandler: LogHandler {
  private let label: String
  /// The metadata of all messages.
  public var metadata: Logger.Metadata = [:]
  /// The lowest level that is written.
  public var logLevel: Logger.Level = .info

  /// Creates a handler whose lines on standard error begin with `label`.
  public init(label: String) { self.label = label }

  /// The metadata of all messages with this key.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes a message.
  public func log(event: LogEvent) {
    let own = event.metadata ?? [:]
    let fields = metadata.isEmpty ? own : metadata.merging(own) { $1 }
    if Journal.isStandardError {
      let journalled = Dictionary(
        uniqueKeysWithValues: fields.map { ("USHER_\($0.key.uppercased())", "\($0.value)") })
      try? Journal.send("\(event.message)", priority: priority(event.level), fields: journalled)
    } else {
      let suffix = fields.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
      let line = Array("\(label): \(event.message)\(suffix)\n".utf8)
      _ = write(STDERR_FILENO, line, line.count)
    }
  }

  private func priority(_ level: Logger.Level) -> Int {
    switch level {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}
