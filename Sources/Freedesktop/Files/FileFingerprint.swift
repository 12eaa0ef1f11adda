// SPDX-License-Identifier: Apache-2.0
/// The fingerprint of files and directories: equal fingerprints mean equal content.
///
/// Symbolic links are followed, so that a link with a new target has a new fingerprint.
///
/// ```swift
/// let stamp = FileFingerprint(of: places)            // taken before reading, to detect a change in between
/// let resolver = ApplicationResolver(directories: directories, programs: programs)
/// if stamp.rest ?? .zero < .milliseconds(100) || FileFingerprint(of: places) != stamp { /* read again */ }
/// ```
public struct FileFingerprint: Equatable, Sendable {
  private let paths: [String]
  private let statuses: [FileStatus?]
  private let taken: Int

  /// Takes the fingerprint of the files at `paths` now.
  public init(of paths: [String]) {
    self.paths = paths
    statuses = paths.map { FileStatus(at: $0) }
    taken = FileStatus.now
  }

  /// The time between the last change and the fingerprint; `nil` if none of the files existed.
  ///
  /// Two changes within one tick of a file system's clock look equal, so the fingerprint of a recent change proves
  /// nothing.
  public var rest: Duration? { nanosecondsOfRest.map { .nanoseconds($0) } }

  private var nanosecondsOfRest: Int? { statuses.compactMap { $0?.lastChange }.max().map { taken &- $0 } }

  /// Indicates whether the files at the paths still have this fingerprint.
  public var isCurrent: Bool { FileFingerprint(of: paths) == self }

  /// Indicates whether the last change was long enough before the fingerprint for the next change to be visible.
  public var isSettled: Bool { nanosecondsOfRest.map { $0 >= FileStatus.tick } ?? true }

  /// Returns whether both were taken of the same content at the same paths.
  public static func == (one: FileFingerprint, other: FileFingerprint) -> Bool {
    one.statuses == other.statuses && one.paths == other.paths
  }
}
