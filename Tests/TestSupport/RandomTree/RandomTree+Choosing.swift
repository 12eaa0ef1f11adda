import Foundation
import Glibc

extension RandomTree {
  /// The seeds that a comparison takes: those that `USHER_RANDOM_TREES` says, as `20000` or `100-200`, else `count`.
  public static func seeds(otherwise count: UInt64) -> Range<UInt64> {
    let wanted = ProcessInfo.processInfo.environment["USHER_RANDOM_TREES"] ?? ""
    let numbers = wanted.split(separator: "-").compactMap { UInt64($0) }
    guard let last = numbers.last else { return 0..<count }
    return numbers.count > 1 ? min(numbers[0], last)..<last : 0..<last
  }

  /// A folder that does not exist yet, for trees that are removed by whoever made them.
  ///
  /// Half the time goes into files, unless they are in memory.
  public static var directory: String {
    var memory = statvfs()
    // In containers nothing may be executed there (ST_NOEXEC, which Glibc's module lacks).
    let isUsable =
      statvfs("/dev/shm", &memory) == 0 && memory.f_flag & 8 == 0
      && access("/dev/shm", W_OK) == 0
    let parent = isUsable ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    return parent + "/usher-\(UUID().uuidString)"
  }
}
