// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A monitor that reports whether anything at some paths has changed, without accessing each of them.
///
/// Every directory of each path is watched, also behind symbolic links; paths that do not exist yet are watched, too.
/// For a directory, added, removed and renamed items are changes. A change wakes up no thread: it is reported at the
/// next query.
///
/// Writes through a memory mapping, or through another name of the file in another directory, are not detected.
///
/// ```swift
/// let watch = PathMonitor(of: places)            // created before reading, to detect a change in between
/// if watch?.hasNoChanges() == true { /* nothing has changed */ }
/// ```
public final class PathMonitor {
  /// The relevant changes in one directory.
  private struct Interest {
    var names: Set<String> = []
    /// Indicates whether every added or removed item is relevant, whatever its name.
    var countsEntries = false
  }

  /// The inotify watch of one directory: its descriptor and its events.
  private struct Watch {
    var number: Int32?
    var reported: UInt32 = 0
  }

  /// The parts of the paths that were examined so far, which most paths share.
  private struct Walk {
    var watches: [String: Watch] = [:]
    var directories: Set<String> = []
    var absent: Set<String> = []
  }

  private let changes: Int32
  private let mounts: Int32
  private var interests: [Int32: Interest] = [:]
  private var walk = Walk()
  private var paths: Set<String> = []
  private var hasChanged = false

  private static let comings = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
  private static let itself = UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
  private static let ends = UInt32(
    IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED | IN_Q_OVERFLOW)

  /// Watches absolute paths; `nil` if a change could be missed, as on a network file system.
  public init?(of paths: [String]) {
    changes = inotify_init1(Int32(IN_NONBLOCK) | O_CLOEXEC)
    mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard changes >= 0, mounts >= 0 else { return nil }
    for path in paths {
      guard add(path) else { return nil }
    }
  }

  /// Also watches another absolute path from now on; returns `false` if a change of it could be missed.
  public func add(_ path: String) -> Bool {
    guard follow(path) else { return false }
    paths.insert(path)
    return true
  }

  /// Returns whether this exact path is watched.
  public func covers(_ path: String) -> Bool { paths.contains(path) }

  deinit {
    if changes >= 0 { close(changes) }
    if mounts >= 0 { close(mounts) }
  }

  /// Returns whether nothing has changed since the monitor was created; after the first change always `false`.
  public func hasNoChanges() -> Bool {
    guard !hasChanged else { return false }
    var polled = [
      pollfd(fd: changes, events: Int16(POLLIN), revents: 0),
      pollfd(fd: mounts, events: Int16(POLLPRI), revents: 0),
    ]
    let ready = poll(&polled, 2, 0)
    guard ready != 0 else { return true }
    hasChanged = ready < 0 || polled[1].revents != 0 || !readChanges()
    return !hasChanged
  }

  /// Reads the reported events; returns `false` if one of them is relevant.
  private func readChanges() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      // The number of reads is limited, so that constant unrelated changes cannot block the caller.
      for _ in 0..<64 {
        let count = read(changes, buffer.baseAddress, buffer.count)
        guard count > 0 else { return count < 0 && errno == EAGAIN }
        let events = FileEvents(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        guard !events.contains(where: counts) else { return false }
      }
      return false
    }
  }

  private func counts(_ event: UnsafePointer<inotify_event>) -> Bool {
    let mask = event.pointee.mask
    guard mask & Self.ends == 0, let interest = interests[event.pointee.wd], let name = entryName(event)
    else { return true }
    return interest.names.contains(name) || interest.countsEntries && mask & Self.comings != 0
  }

  /// Watches all existing parts of `path`; returns `false` if that fails.
  private func follow(_ path: String) -> Bool {
    var (directory, links) = ("", 0)
    var rest = Array(path.unicodeScalars.split(separator: "/").reversed()).map { String($0) }
    while let name = rest.popLast() {
      guard name != "." else { continue }
      guard name != ".." else {
        // `directory` contains no symbolic links, because each was followed, so its last component can be removed.
        directory = String(
          directory[..<(directory.unicodeScalars.lastIndex(of: "/") ?? directory.startIndex)])
        continue
      }
      // Writes to a file are relevant only for the last component.
      let reported = rest.isEmpty ? Self.comings | UInt32(IN_MODIFY) : Self.comings
      guard watch(directory, for: reported, { $0.names.insert(name) }) else { return false }
      let place = directory + "/" + name
      guard !walk.absent.contains(place) else { return true }
      guard !walk.directories.contains(place) else {
        directory = place
        continue
      }
      var facts = stat()
      guard lstat(place, &facts) == 0 else {
        // The watch of its directory reports it when it is created.
        walk.absent.insert(place)
        return true
      }
      switch facts.st_mode & S_IFMT {
      case S_IFDIR:
        walk.directories.insert(place)
        directory = place
      case S_IFLNK:
        links += 1
        guard links <= 40, let target = target(of: place) else { return true }
        if target.hasPrefix("/") { directory = "" }
        rest += target.unicodeScalars.split(separator: "/").reversed().map { String($0) }
      default: return true
      }
    }
    return watch(directory, for: Self.comings) { $0.countsEntries = true }
  }

  private func watch(_ directory: String, for reported: UInt32, _ take: (inout Interest) -> Void) -> Bool {
    let path = directory.isEmpty ? "/" : directory
    var watch = walk.watches[path] ?? Watch()
    if reported & ~watch.reported != 0 {
      guard watch.number != nil || usher_tells_changes(path) != 0 else { return false }
      watch.reported |= reported
      // Another path may lead to the same directory by a bind mount, and inotify has one watch for both.
      let number = inotify_add_watch(changes, path, watch.reported | Self.itself | UInt32(IN_MASK_ADD))
      guard number >= 0 else { return false }
      watch.number = number
      walk.watches[path] = watch
    }
    guard let number = watch.number else { return false }
    take(&interests[number, default: Interest()])
    return true
  }

  private func target(of link: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(link, start, buffer.count)
      guard count > 0, count < buffer.count else { return nil }
      return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
