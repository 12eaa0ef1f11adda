import ArgumentParser

/// What an application is to be when a link comes.
enum Simulation: String, ExpressibleByArgument, CaseIterable {
  /// Not running: the link starts it.
  case cold
  /// Running: the link is handed to it.
  case warm
  /// Running, and stopped by SIGSTOP: it is thawed for the link.
  case suspended
}
