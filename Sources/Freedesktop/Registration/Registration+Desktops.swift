// SPDX-License-Identifier: Apache-2.0
/// The application that a desktop opens a scheme with.
public struct DesktopAnswer: Hashable, Sendable {
  /// The desktop, as in the names of its lists; `nil` for desktops without a list.
  public let desktop: String?
  /// The scheme.
  public let scheme: URLScheme
  /// The application; `nil` if there is none.
  public let application: ApplicationID?
  /// The line that decides it.
  public let origin: Resolution.Origin?
}

extension DesktopAnswer: CustomStringConvertible {
  /// The answer of another desktop than the current one, as a sentence for users.
  public var description: String {
    let place = origin.map { " (\($0))" } ?? ""
    return "\(scheme): on \(desktop ?? "a desktop without its own list"), it is opened by "
      + "\(application?.rawValue ?? "no application")\(place)"
  }
}

extension Registration {
  /// Returns the answers of the other desktops that have lists here and open one of `schemes` with another application than `expected`.
  public func differences(on schemes: [URLScheme], from expected: ApplicationID) -> [DesktopAnswer] {
    answers(for: schemes, on: otherDesktops).filter { $0.application != expected }
  }

  /// Returns the applications of `schemes` on every desktop that has a list here, the current ones first.
  public func answers(for schemes: [URLScheme]) -> [DesktopAnswer] {
    answers(for: schemes, on: directories.currentDesktops + otherDesktops)
  }

  /// The other desktops that have lists here, and `nil` for those without a list unless the current one is that.
  private var otherDesktops: [String?] {
    desktopsWithLists.filter { !directories.currentDesktops.contains($0) }
      + (directories.currentDesktops.isEmpty ? [] : [nil])
  }

  private func answers(for schemes: [URLScheme], on desktops: [String?]) -> [DesktopAnswer] {
    desktops.flatMap { desktop in
      let resolver = ApplicationResolver(
        directories: directories.on(desktop: desktop), programs: programs, files: files)
      return schemes.map { scheme in
        let resolution = resolver.resolve(scheme)
        let chosen = resolution.candidates.first { if case .chosen = $0.verdict { true } else { false } }
        return DesktopAnswer(
          desktop: desktop, scheme: scheme, application: resolution.application?.id, origin: chosen?.origin)
      }
    }
  }

  /// The desktops for which a list exists, sorted by name.
  private var desktopsWithLists: [String] {
    let directories =
      [directories.configHome] + directories.configDirectories + directories.applicationDirectories
    let suffix = "-mimeapps.list"
    let names = directories.flatMap { directory -> [String] in
      guard case .items(let items) = files.list(directory) else { return [] }
      return items.map(\.name).filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
    }
    return Set(names).filter { !$0.isEmpty }.sorted()
  }
}
