// SPDX-License-Identifier: Apache-2.0
internal import Fuzzing
internal import RouteTables

/// A table with every kind of route.
private let check: TableCheck? = {
  let patterns = [
    "https://{:www.|}shop.example/item/{sku:sku}?ref={ref?}", "https://shop.example/item/new",
    "https://{tenant}.forge.example/{owner}/{repo}/issues/{n:uint}?page={page:uint=1}&state=open",
    "https://{tenant}.forge.example/{owner}/{repo}/{rest...}", "https://*.example.com/search?q={q}&!preview",
    "https://{sub...}.example.org:{:80|8080|}/{a}-{b}-{c:int}", "http://127.0.0.1:*/{rest...?}",
    "http://[::1]/{x}",
    "https://*/watch?v={id:yt}&t={t:duration?}&tag={tags*}#{at?}", "https://me@host.example/{d:date}.{e:hex}",
    "app:/docs/{path...}/end/{more...}", "app:/docs/{path:slug...}", "app:{x}", "app:/x{a}", "app:/xx{a:aba}",
    "app:/v{n:1|2|3}/{u:uuid}#section-{n2:int}", "mailto:{to:email}?subject={s}&cc={cc*}", "tel:{number}",
    "file:///{path...}", "/any/{b:bool}/{tail?}", "/any/{x:string(2,5)}/{d=7}", "geo:{lat},{lon}",
  ]
  return try? TableCheck(patterns.compactMap { FuzzRoute(line: $0, PatternCheck.options(0)) })
}()

/// The input is a URL.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzURL(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = FuzzInput(start, count).text
  promise(check != nil, "the table builds")
  check?.match(text)
  if let url = try? URLString(text) { promise(url.description == text, "a URL is carried as it came") }
  return 0
}
