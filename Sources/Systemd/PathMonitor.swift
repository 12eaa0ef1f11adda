import CSystemd
import Glibc

/// Whether anything has changed at some paths, told without a look at each of them.
///
/// Every folder on the way to each path is watched, and where links lead; so is what is not there yet. Of a path that is a
/// folder it counts what comes, goes and is renamed in it. Nobody is woken by a change: it is told when it is asked for.
///
/// Not told is what is written by way of a memory mapping, or under another name of the same file elsewhere.
///
/// ```swift
/// let watch = PathMonitor(of: places)            // before they are read, so that a change meanwhile shows
/// if watch?.isQuiet() == true { /* they are as they were */ }
/// ```
public final class PathMonitor {
  /// What counts in one folder.
  private struct Interest {
    var names: Set<String> = []
    /// Whether it counts what comes and goes, whatever its name is.
    var countsEntries = false
  }

  /// What is told of one folder.
  private struct Watch {
    var number: Int32?
    var reported: UInt32 = 0
  }

  /// What was found on the way to the paths so far; most share the greater part of it.
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

  /// Watches `paths`, which are absolute; `nil` where not every change would be told, as on another machine's file system.
  public init?(of paths: [String]) {
    changes = inotify_init1(Int32(IN_NONBLOCK) | O_CLOEXEC)
    mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard changes >= 0, mounts >= 0 else { return nil }
    for path in paths {
      guard add(path) else { return nil }
    }
  }

  /// Watches another path, which is absolute, from now on; `false` where not every change of it would be told.
  public func add(_ path: String) -> Bool {
    guard follow(path) else { return false }
    paths.insert(path)
    return true
  }

  /// Whether this very path is among those that are watched.
  public func covers(_ path: String) -> Bool { paths.contains(path) }

  deinit {
    if changes >= 0 { close(changes) }
    if mounts >= 0 { close(mounts) }
  }

  /// Whether nothing has changed since it was made; once something has, `false` for good.
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

  /// Reads what was told; `false` where something of it counts.
  private func readChanges() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      // Whoever makes more noise than that is not waited for.
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

  /// Watches all on the way to `path`, as far as there is one; `false` where that cannot be done.
  private func follow(_ path: String) -> Bool {
    var (directory, links) = ("", 0)
    var rest = Array(path.split(separator: "/").reversed())
    while let name = rest.popLast() {
      guard name != "." else { continue }
      guard name != ".." else {
        // No link leads to where we are: each was followed.
        directory = String(directory[..<(directory.lastIndex(of: "/") ?? directory.startIndex)])
        continue
      }
      // What is written on the way counts only where the way ends.
      let reported = rest.isEmpty ? Self.comings | UInt32(IN_MODIFY) : Self.comings
      guard watch(directory, for: reported, { $0.names.insert(String(name)) }) else { return false }
      let place = directory + "/" + name
      guard !walk.absent.contains(place) else { return true }
      guard !walk.directories.contains(place) else {
        directory = place
        continue
      }
      var facts = stat()
      guard lstat(place, &facts) == 0 else {
        // It will show in the folder when it comes.
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
        rest += target.split(separator: "/").reversed()
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
      let number = inotify_add_watch(changes, path, watch.reported | Self.itself)
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
