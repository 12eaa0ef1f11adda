// SPDX-License-Identifier: Apache-2.0
public import BrokerCore
public import DBus
public import Freedesktop

/// A program to be started for an application.
public struct Launch: Hashable, Sendable {
  /// The application's desktop-file ID, which becomes part of the unit name.
  public var application: String
  /// The title of the application for the user.
  public var title: String
  /// The path of the desktop entry.
  public var entry: String?
  /// The argument vector; the first element is an absolute path.
  public var arguments: [ProgramArgument]
  /// The variables that are added to the environment of all programs, and to the session.
  public var variables: [String: String]
  /// The session in which the program is started.
  public var session = CallerSession.unknown
  /// The working directory; `nil` for the home directory.
  public var workingDirectory: String?
  /// The descriptor for the standard output, with standard error discarded; `nil` for the default of both.
  public var output: UnixFD?

  /// Creates a launch of `arguments` for `application`.
  public init(
    application: String, title: String, entry: String? = nil, arguments: [ProgramArgument],
    variables: [String: String] = [:], workingDirectory: String? = nil
  ) {
    self.application = application
    self.title = title
    self.entry = entry
    self.arguments = arguments
    self.variables = variables
    self.workingDirectory = workingDirectory
  }

  /// The variables of the session and the launch's own.
  var allVariables: [String: String] { session.variables.merging(variables) { $1 } }

  /// The path of the program.
  public var executable: String { arguments.first?.description ?? "" }
}

extension Launch {
  /// Returns this launch in another session.
  public func started(in session: CallerSession) -> Launch {
    var launch = self
    launch.session = session
    return launch
  }
}

extension Launch {
  /// The application ID in the unit names of programs that routes run.
  ///
  /// No application has it, so the unit identifies no source.
  private static let ofRoutes = "org.usher.Route"

  /// Creates the launch of a program that a route runs.
  public init(_ command: RouteCommand) {
    self.init(
      application: Self.ofRoutes, title: "Usher: route “\(command.route)”",
      arguments: command.arguments.map { ProgramArgument($0) })
  }
}
