// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The state of the application when a URL is opened.
enum Simulation: String, ExpressibleByArgument, CaseIterable {
  /// Not running: the URL starts the application.
  case cold
  /// Running: the URL is delivered to the application.
  case warm
  /// Running, and stopped by SIGSTOP: the application is resumed for the URL.
  case suspended
}
