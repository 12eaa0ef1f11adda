// The part about the history: filters, charts, the table of requests, and one request in detail.

const historyPart = {
  shown: entries,

  build() {
    const choice = (label, values, counts) => {
      const element = make("select", {}, make("option", { value: "" }, "All"),
        values.map((value) => make("option", { value }, `${value} (${counts.get(value)})`)));
      return [make("label", {}, label, element), element];
    };
    const counted = (read) => {
      const counts = new Map();
      for (const entry of entries) counts.set(read(entry), (counts.get(read(entry)) ?? 0) + 1);
      return [[...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a)), counts];
    };
    this.text = make("input", { type: "search", placeholder: "URL, application, time, reason", autocomplete: "off" });
    const [applicationLabel, application] = choice("Application", ...counted((entry) => entry.application ?? "none"));
    const [sourceLabel, sourceChoice] = choice("Source", ...counted(source));
    const [outcomeLabel, outcome] = choice("Outcome", ...counted(outcomeOf));
    Object.assign(this, { application, sourceChoice, outcome });
    this.from = make("input", { type: "datetime-local" });
    this.until = make("input", { type: "datetime-local" });
    this.result = make("span", { class: "result small quiet", role: "status" });
    this.reset = make("button", { type: "button", hidden: true, onclick: () => this.clear() }, "Clear the filters");
    // The requests that an address names, and what it has replaced.
    this.only = null;
    this.onlyText = make("span", {});
    this.replaced = make("span", { class: "quiet" });
    this.notice = make("div", { class: "notice", hidden: true }, this.onlyText, this.replaced);
    this.charts = make("div", { class: "columns even" });
    this.list = new RowList({
      role: "grid", label: "Requests, the newest first", class: "requests",
      // report.css has the same widths.
      rowHeight: () => (innerWidth <= 760 ? 112 : this.list?.element.clientWidth <= 1080 ? 62 : 38), row: (index) => this.row(index), open: (index) => this.openRow(index),
      columns: ["Time", "Outcome", "URL", "From", "To", "Took"],
    });
    const rewrites = tables.some((table) => table.routes.some((route) => "rewrite" in route.action));
    this.none = empty("No request matches", `Change the search or clear the filters.${rewrites ? " A link that a route rewrites is listed with its new URL." : ""}`);
    this.rewritten = make("div", {});
    this.none.append(this.rewritten);
    const table = make("section", { class: "card", "aria-label": "Requests" },
      make("div", { class: "filters" }, make("label", { class: "wide" }, "Search", this.text), applicationLabel, sourceLabel, outcomeLabel,
        make("label", { class: "time" }, "From", this.from), make("label", { class: "time" }, "Until", this.until), this.reset, this.result),
      this.notice, this.list.element, this.none);
    this.pair = new Pair(table, "The opened request");
    this.list.follow(this.text);
    for (const input of this.inputs) {
      input.addEventListener("input", () => {
        this.replaced.textContent = "";
        this.later();
      });
    }
    this.element = make("div", { class: "stack" }, heading("History", "Each link, the program that it came from, and its outcome. Open a row for the decision and the delivery."),
      report.history.error ? card("The history cannot be read", "", make("p", { class: "pad" }, report.history.message))
        : entries.length ? [this.charts, this.pair.element]
          : card("Requests", "", empty("The history is empty", "The broker lists each link here that a program opens.")));
    this.filter();
    return this.element;
  },

  /** Filters after the current input, so that fast typing filters once. */
  later() {
    cancelAnimationFrame(this.pending);
    this.pending = requestAnimationFrame(() => this.filter());
  },

  filter() {
    const words = searchWords(this.text).map(storedPart);
    this.words = words;
    const time = (input) => (input.value ? new Date(input.value).getTime() * 1000 : undefined);
    const [from, until] = [time(this.from), time(this.until)];
    const [application, from_, outcome] = [this.application.value, this.sourceChoice.value, this.outcome.value];
    this.shown = entries.filter((entry) => (!application || (entry.application ?? "none") === application)
      && (!from_ || source(entry) === from_) && (!outcome || outcomeOf(entry) === outcome)
      && (!this.only || this.only.list.has(entry)) && (from === undefined || entry.time >= from) && (until === undefined || entry.time < until)
      && words.every((word) => this.haystack(entry).includes(word) || (isTime(word) && moment(entry.time).split(" ").some((part) => part.startsWith(word)))));
    const isFiltered = this.shown.length < entries.length;
    this.result.textContent = isFiltered ? `${shortNumber.format(this.shown.length)} of ${many(entries.length, "request")}` : many(entries.length, "request");
    this.reset.hidden = !(isFiltered || words.length);
    this.onlyText.replaceChildren(...(this.only ? [make("strong", {}, `Only the links ${this.only.phrase}`), " ",
      make("button", { type: "button", class: "plain", onclick: () => this.clear() }, "Show all links")] : []));
    this.notice.hidden = !this.only && !this.replaced.textContent;
    this.list.element.hidden = this.shown.length === 0;
    this.none.hidden = this.shown.length > 0;
    this.rewritten.replaceChildren(...(this.shown.length || words.length !== 1 ? [] : rewritesOf(words[0]).slice(0, 4).map(({ route, start, count }) => make("p", {},
      "The route ", make("code", {}, route.route), " rewrites such a link. ",
      make("button", { type: "button", class: "plain", onclick: () => this.search(start) }, `Show the ${many(count, "link")} that begin with ${start}`)))));
    this.list.show(this.shown.length);
    if (this.opened && !this.shown.includes(this.opened)) this.pair.hide();
    this.charts.replaceChildren(...charts(this.shown, (start, end) => this.choose(start, end)));
  },

  /** The text that a search reads, made once for each request. */
  haystack(entry) {
    haystacks.has(entry) || haystacks.set(entry, [...entry.urls, entry.application, entry["source-application"], entry.remote, source(entry), entry.via, outcomeOf(entry), entry.error, entry.reason, entry["request-id"]].join(" ").toLowerCase());
    return haystacks.get(entry);
  },

  choose(start, end) {
    const local = (time) => moment(time * 1000, false).replace(" ", "T");
    [this.from.value, this.until.value] = [local(start), local(end)];
    this.filter();
  },

  get inputs() { return [this.text, this.application, this.sourceChoice, this.outcome, this.from, this.until]; },

  clear() {
    this.empty();
    this.filter();
    this.text.focus();
  },

  empty() {
    for (const input of this.inputs) input.value = "";
    this.only = null;
    this.replaced.textContent = "";
  },

  /** Shows the requests that an address names, or all, without what was searched before; returns the element for the focus. */
  open(query) {
    const text = this.text.value.trim();
    const wasFiltered = this.inputs.some((input) => input.value);
    this.empty();
    this.only = selections.get(query.get("only")) ?? null;
    this.replaced.textContent = text ? `The search for “${text}” was cleared.` : wasFiltered ? "The filters were cleared." : "";
    this.filter();
    announce(this.replaced.textContent);
    return this.shown.length ? this.list.element : this.text;
  },

  search(text) {
    goTo("history");
    this.empty();
    this.text.value = text.trim();
    this.filter();
    this.text.focus({ preventScroll: true });
    // On a narrow screen, charts and filters fill the window.
    const results = this.shown.length ? this.list.element : this.none;
    if (results.getBoundingClientRect().top > innerHeight * 0.7) results.scrollIntoView();
    announce(this.result.textContent);
  },

  row(index) {
    const entry = this.shown[index];
    const cell = (kind, ...content) => make("span", { class: kind, role: "gridcell" }, ...content);
    const url = (entry.urls[0] ?? "a request without a URL") + (entry.urls.length > 1 ? `  +${entry.urls.length - 1}` : "");
    return make("div", { role: "row" }, cell("when", moment(entry.time)), cell("outcome", outcomeBadge(entry)), cell("url", make("span", {}, make("span", {}, ...marked(url, this.words)))),
      cell("source", make("span", { title: source(entry) }, source(entry))), cell("target", make("span", { title: entry.application }, entry.application ?? "–")), cell("took", duration(entry.duration)));
  },

  openRow(index) {
    this.opened = this.shown[index];
    this.pair.open("Request", requestSections(this.opened), this.list.element);
  },

  openEntry(entry) {
    goTo("history");
    this.clear();
    const index = this.shown.indexOf(entry);
    this.list.select(index, true);
    this.list.reveal();
  },
};

const haystacks = new WeakMap();

/** Returns the part of a link that the history stores: without user information, query and fragment. Its scheme may be missing; other words are unchanged. */
function storedPart(word) {
  const hasScheme = /^[a-z][a-z0-9+.-]*:/.test(word);
  if (!hasScheme && !/^[^?#]*[./]/.test(word)) return word;
  const stored = word.replace(/[?#].*$/, "");
  return hasScheme ? stored.replace(/^([^:]+:\/\/)[^/@]*@/, "$1") : stored.replace(/^[^/@]*@(?=[^/]*\/)/, "");
}

/** Returns whether a word of a search, such as `09:31` or `2026-11-27`, is a part of a time. */
const isTime = (word) => /^(?:\d{4}-\d\d(?:-\d\d)?|\d\d:\d\d(?::\d\d)?)$/.test(word);

/** Returns the routes that rewrite such a link, each with the start of its new URL and the number of requests that begin with it. */
function rewritesOf(text) {
  const links = [text, `https://${text}`];
  return tables.flatMap((table) => table.routes).flatMap((route) => {
    const start = typeof route.action.rewrite === "string" ? route.action.rewrite.replace(/[{?#].*$/, "").toLowerCase() : "";
    if (!/^[^:]+:.{3,}/.test(start) || !route.patterns.map(({ pattern }) => loosePattern(pattern)).some((expression) => expression && links.some((link) => expression.test(link)))) return [];
    const count = entries.filter((entry) => entry.urls.some((url) => url.toLowerCase().startsWith(start))).length;
    return count ? [{ route, start, count }] : [];
  });
}
