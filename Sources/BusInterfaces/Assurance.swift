// SPDX-License-Identifier: Apache-2.0
/// The reliability with which the source application of a request was identified, weakest first.
public enum Assurance: String, CaseIterable, Comparable, Sendable {
  /// The source application is unknown.
  case unknown
  /// Only the caller itself names it.
  case claimed
  /// It was identified by the program of the caller.
  case executable
  /// It was identified by the systemd unit of the caller.
  case unit
  /// It was identified by the sandbox of the caller.
  case sandbox

  /// Returns whether `left` is weaker.
  public static func < (left: Assurance, right: Assurance) -> Bool { left.strength < right.strength }

  private var strength: Int { Assurance.allCases.firstIndex(of: self) ?? 0 }
}
