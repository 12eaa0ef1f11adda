// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

extension RandomTree {
  /// Returns the seeds of `USHER_RANDOM_TREES`, such as `20000` or `100-200`; without the variable, the first `count`.
  public static func seeds(otherwise count: UInt64) -> Range<UInt64> {
    let wanted = ProcessInfo.processInfo.environment["USHER_RANDOM_TREES"] ?? ""
    let numbers = wanted.split(separator: "-").compactMap { UInt64($0) }
    guard let last = numbers.last else { return 0..<count }
    return numbers.count > 1 ? min(numbers[0], last)..<last : 0..<last
  }

  /// The path of a directory that does not exist yet, for trees that their creator removes.
  ///
  /// It is in memory if possible, because files on disk take half of the time.
  public static var directory: String { parent + "/\(prefix)\(UUID().uuidString)" }

  private static let prefix = "usher-trees-"

  /// The directory of the trees, from which those of a run that was killed are removed after a day.
  private static let parent: String = {
    var memory = statvfs()
    // In containers, /dev/shm may forbid execution (ST_NOEXEC, which Glibc's module lacks).
    let isUsable =
      statvfs("/dev/shm", &memory) == 0 && memory.f_flag & 8 == 0
      && access("/dev/shm", W_OK) == 0
    let parent = isUsable ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    where name.hasPrefix(prefix) {
      let (path, manager) = ("\(parent)/\(name)", FileManager.default)
      let changed = try? manager.attributesOfItem(atPath: path)[.modificationDate] as? Date
      guard let changed, changed.timeIntervalSinceNow < -86_400 else { continue }
      try? manager.removeItem(atPath: path)
    }
    return parent
  }()
}
