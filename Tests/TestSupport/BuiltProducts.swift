// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The paths of the programs of this test run, and of the files of this repository.
public enum BuiltProducts {
  /// The directory that contains the test program.
  public static let directory: String = {
    let test =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? CommandLine.arguments[0]
    return (test as NSString).deletingLastPathComponent
  }()

  /// The command.
  public static var usher: String { "\(directory)/usher" }
  /// The daemon.
  public static var usherd: String { "\(directory)/usherd" }
  /// The daemon for notifications.
  public static var usherTriggers: String { "\(directory)/usher-triggers" }
  /// The example application on `Scenes`.
  public static var notes: String { "\(directory)/notes" }
  /// The example application on GApplication, a Python program.
  public static var gtkNotes: String { "\(repository)/Examples/gtk-notes/gtk-notes" }

  /// The root directory of the repository.
  public static let repository: String = #filePath.split(separator: "/").dropLast(3).reduce("") {
    "\($0)/\($1)"
  }

  /// Returns the text of a file of the repository, with every `@name@` replaced.
  public static func template(
    _ path: String, _ replacements: [String: String] = [:]
  ) throws(TestSupportError) -> String {
    let text: String
    do {
      text = try String(contentsOfFile: "\(repository)/\(path)", encoding: .utf8)
    } catch {
      throw TestSupportError("cannot read \(path) in the repository: \(error)")
    }
    return replacements.reduce(text) { $0.replacingOccurrences(of: "@\($1.key)@", with: $1.value) }
  }
}
