// SPDX-License-Identifier: Apache-2.0
import Interpreters

/// The quoting of words in shell commands that messages print.
public enum ShellWord {
  /// Returns text quoted as one word for a shell, without quotes if it needs none.
  public static func quoted(_ text: String) -> String { ShellCode.word(text) }
}
