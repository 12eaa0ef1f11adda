// The part about handlers: which application opens each scheme, and the findings of usher doctor.

const hasHandler = (item) => Boolean(item.application || item.remote);

function handlersPart() {
  const rows = make("tbody");
  const result = make("span", { class: "result small quiet", role: "status" });
  const search = make("input", { type: "search", placeholder: "Scheme or application", autocomplete: "off" });
  const filter = make("select", {},
    [["", "All"], ["with", "With an application"], ["usher", "Through Usher"], ["other", "Not through Usher"], ["none", "Without an application"], ["portal", "With a choice of the portal"]]
      .map(([value, text]) => make("option", { value }, text)));
  const tests = {
    "": () => true, usher: (item) => item["through-usher"], other: (item) => !item["through-usher"],
    with: hasHandler, none: (item) => !hasHandler(item), portal: (item) => item.portal.length > 0,
  };
  const show = () => {
    const words = searchWords(search);
    const shown = report.handlers.filter((item) => tests[filter.value](item)
      && words.every((word) => [item.scheme, item.application, item.remote, ...item.alternatives].join(" ").toLowerCase().includes(word)));
    rows.replaceChildren(...shown.slice(0, 500).map(handlerRow));
    result.textContent = `${many(shown.length, "scheme")}${shown.length > 500 ? ", the first 500 are shown" : ""}`;
    none.hidden = shown.length > 0;
    table.hidden = shown.length === 0;
  };
  const table = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Schemes and their applications" },
    make("table", { class: "handlers" },
      make("thead", {}, make("tr", {}, ["Scheme", "Opened by", "Since", "Could also open it", "Remarks"].map((text) => make("th", { scope: "col" }, text)))), rows));
  const none = empty("No scheme matches", "Change the search or the filter.");
  search.addEventListener("input", show);
  filter.addEventListener("change", show);
  show();
  const { findings, notes, locks } = report.doctor;
  const fixable = findings.filter((finding) => finding.fixable).length;
  const problems = card("Problems of this machine", `usher doctor has checked ${many(report.doctor.schemes, "scheme")} and ${many(report.doctor.entries, "desktop entry", "desktop entries")}`,
    fixable > 0 && make("div", { class: "pad bar" }, make("span", { class: "quiet" }, `Usher can repair ${fixable} of them itself:`), command("usher doctor --fix")),
    findingList(findings.map((finding) => ({ ...finding, badge: finding.check })), "No problems found", "Links reach their applications as far as usher doctor can check."));
  const schemes = make("section", { class: "card" }, make("div", { class: "title" }, make("h3", {}, "Who opens what")),
    make("div", { class: "filters" }, make("label", { class: "wide" }, "Search", search), make("label", {}, "Show", filter), result),
    report.handlers.length ? [table, none] : empty("No application is registered for any scheme", make("span", {}, "An application registers itself, or you do: ", make("code", {}, "usher register ID --scheme SCHEME"))));
  handlersPart.open = (query) => {
    if (query.get("show") === "problems") return lead(problems);
    [search.value, filter.value] = ["", query.get("show") === "with" ? "with" : ""];
    show();
    return lead(schemes);
  };
  return make("div", { class: "stack" },
    heading("Handlers", "The application that opens the links of each scheme, since when, and the others that could."),
    problems, schemes,
    (notes.length > 0 || locks.length > 0) && card("Limits and locks", "not problems",
      findingList([
        ...locks.map((lock) => ({ badge: "locked", tone: "open", message: `The administrator has locked ${lock.lock.replaceAll("_", " ")}.`, file: lock.file })),
        ...notes.map((note) => ({ badge: note.check, tone: "", message: note.message })),
      ])));
}

function handlerRow(item) {
  const remarks = [
    item["through-usher"] && make("span", { class: "badge accent" }, "through Usher"),
    item.remote && make("span", { class: "badge" }, `on ${machineTitle(item.remote)}`),
    ...item.replaced.map((id) => make("span", { class: "badge open" }, `replaced ${id}`)),
    ...item.unusable.map((name) => {
      // The line of the row is that of the application that opens the links.
      const finding = report.doctor.findings.find((finding) => finding.line && finding.message.startsWith(`${item.scheme}: `) && finding.message.includes(name));
      return make("span", { class: "badge bad" }, `missing: ${name}${finding ? ` (${place(finding).replace(/^.*\//, "")})` : ""}`);
    }),
    ...item.portal.map((choice) => make("span", { class: "badge open" }, `portal${choice.caller ? ` for ${choice.caller}` : ""}: ${choice.application}`)),
  ].filter(Boolean);
  return make("tr", {},
    make("th", { scope: "row" }, make("code", {}, item.scheme)),
    make("td", {}, item.application ?? (item.remote ? machineTitle(item.remote) : make("span", { class: "badge bad" }, "no application"))),
    make("td", { "data-label": "since" }, item.since ? moment(Date.parse(item.since) * 1000).slice(0, 10) : "–"),
    item.alternatives.length ? make("td", { "data-label": "also" }, item.alternatives.join(", ")) : make("td", {}, ""),
    remarks.length || item.file ? make("td", {}, make("div", { class: "bar" }, remarks), item.file && make("p", { class: "place" }, "decided by ", make("span", { class: "code" }, place(item)))) : make("td", {}, ""));
}
