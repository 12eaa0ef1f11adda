// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// The records of a table's routes by index, each created on access so that a search does not copy all of them.
struct RouteRecords: RandomAccessCollection {
  let endIndex: Int
  private let record: (Int) -> RouteRecord

  init<Action>(_ table: RouteTable<Action>) {
    endIndex = table.routes.count
    record = { table.routes[$0].record }
  }

  var startIndex: Int { 0 }
  subscript(number: Int) -> RouteRecord { record(number) }
}
