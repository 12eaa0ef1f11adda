/// What shows that files and folders have changed: equal stamps, equal content.
///
/// Links are followed, so that a link which leads elsewhere has another stamp.
///
/// ```swift
/// let stamp = FileFingerprint(of: places)            // before reading, so that a change meanwhile shows
/// let resolver = ApplicationResolver(directories: directories, programs: programs)
/// if stamp.rest ?? .zero < .milliseconds(100) || FileFingerprint(of: places) != stamp { /* read again */ }
/// ```
public struct FileFingerprint: Equatable, Sendable {
  private let paths: [String]
  private let statuses: [FileStatus?]
  private let taken: Int

  /// The stamp of what is at `paths` now.
  public init(of paths: [String]) {
    self.paths = paths
    statuses = paths.map { FileStatus(at: $0) }
    taken = FileStatus.now
  }

  /// How long before the stamp the last change was; `nil` where there was nothing.
  ///
  /// Two changes within one tick of a file system's clock look alike, so a stamp that has not rested a while proves nothing.
  public var rest: Duration? { nanosecondsOfRest.map { .nanoseconds($0) } }

  private var nanosecondsOfRest: Int? { statuses.compactMap { $0?.lastChange }.max().map { taken &- $0 } }

  /// Whether what is at its paths is as it was.
  public var isCurrent: Bool { FileFingerprint(of: paths) == self }

  /// Whether the last change was so long before the stamp that the next one shows.
  public var isSettled: Bool { nanosecondsOfRest.map { $0 >= FileStatus.tick } ?? true }

  /// Whether both were taken of the same content under the same names.
  public static func == (one: FileFingerprint, other: FileFingerprint) -> Bool {
    one.statuses == other.statuses && one.paths == other.paths
  }
}
