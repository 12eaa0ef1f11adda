// SPDX-License-Identifier: Apache-2.0
/// The parts of a screen, for its size.
struct WatchLayout: Hashable {
  /// The size from which an opened request is shown below the list.
  private static let smallestDivided = ScreenSize(rows: 30, columns: 60)

  let size: ScreenSize

  /// A Boolean value that indicates whether the first row is a title.
  var hasTitle: Bool { size.rows >= 3 }
  /// A Boolean value that indicates whether the columns of the list have headings.
  var hasHeadings: Bool { size.rows >= 6 }
  /// A Boolean value that indicates whether the last row shows keys or the filter.
  var hasFooter: Bool { size.rows >= 2 }
  /// A Boolean value that indicates whether the selected request is shown below the list.
  var isDivided: Bool {
    size.rows >= Self.smallestDivided.rows && size.columns >= Self.smallestDivided.columns
  }

  /// The number of rows between title and footer.
  var bodyRows: Int { max(1, size.rows - (hasTitle ? 1 : 0) - (hasFooter ? 1 : 0)) }

  /// The number of requests in the list.
  var listRows: Int { max(1, (isDivided ? bodyRows * 2 / 5 : bodyRows) - (hasHeadings ? 1 : 0)) }

  /// The number of rows of the request below the list, without the line between them.
  var requestRows: Int { isDivided ? bodyRows - bodyRows * 2 / 5 - 1 : 0 }
}
