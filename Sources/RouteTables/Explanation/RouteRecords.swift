/// The records of a table's routes by their numbers, where they are: nothing is copied for a look at a few of many.
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
