public import BrokerCore
public import DBus
public import Freedesktop

/// One program to be started for an application.
public struct Launch: Hashable, Sendable {
  /// The application's desktop-file ID, which names its unit.
  public var application: String
  /// Its name, as a person reads it.
  public var title: String
  /// The path of its desktop entry.
  public var entry: String?
  /// `argv`; the first element is an absolute path.
  public var arguments: [ProgramArgument]
  /// What is added to the environment that every program gets.
  public var variables: [String: String]
  /// Where it starts, or `nil` for the home directory.
  public var workingDirectory: String?
  /// What becomes its standard output, with its standard error dropped; `nil` for what such programs usually get.
  public var output: UnixFD?

  /// A launch of `arguments` for `application`.
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

  /// The program that is executed.
  public var executable: String { arguments.first?.description ?? "" }
}

extension Launch {
  /// The unit name's part where a route runs a program: no application has this ID, so it is nobody's source.
  private static let ofRoutes = "org.usher.Route"

  /// The launch of a program that a route runs.
  public init(_ command: RouteCommand) {
    self.init(
      application: Self.ofRoutes, title: "Usher's route “\(command.route)”",
      arguments: command.arguments.map { ProgramArgument($0) })
  }
}
