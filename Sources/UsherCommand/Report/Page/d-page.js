// The page: its parts, and the one that is shown.

const parts = {
  overview: ["Overview", overview],
  handlers: ["Handlers", handlersPart, report.doctor.findings.length, true],
  history: ["History", () => historyPart.build(), entries.length],
  routes: ["Routes", () => routesPart.build(), routeCount],
};
/** What shows the content that the query of an address names. */
const openers = { history: (query) => historyPart.open(query), handlers: (query) => handlersPart.open(query), routes: (query) => routesPart.open(query) };
const built = {};

let shownHash;

/** Shows a part at once, so that its elements have a size. */
function goTo(part) {
  location.hash = `#${part}`;
  showPart();
}

/** Shows the part of the address; returns the element for the focus, if the address names more than a part. */
function showPart() {
  shownHash = location.hash;
  const [name, query] = location.hash.slice(1).split("?");
  const current = Object.hasOwn(parts, name) ? name : "overview";
  for (const link of byID("parts").querySelectorAll("a")) {
    if (link.hash === `#${current}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const [other, element] of Object.entries(built)) element.hidden = other !== current;
  // A panel that covered the other part covers this one no longer; it comes first, because both make the same elements inert.
  const pairs = [historyPart.pair, routesPart.pair].filter(Boolean);
  for (const isVisible of [false, true]) for (const pair of pairs.filter(({ panel }) => panel.checkVisibility() === isVisible)) pair.cover();
  document.title = `${parts[current][0]} – Usher report`;
  scrollTo(0, 0);
  return query === undefined ? null : openers[current]?.(new URLSearchParams(query)) ?? null;
}

// The history comes first, because the overview refers to it.
for (const name of ["history", "handlers", "routes", "overview"]) built[name] = parts[name][1]();
parts.overview.push(overview.total, true);
byID("parts").append(...Object.entries(parts).map(([name, [title, , count, isBad]]) => make("li", {},
  make("a", { href: `#${name}` }, title, count > 0 && make("span", { class: `count ${isBad ? "bad" : ""}` }, count > 9999 ? `${Math.round(count / 1000)}k` : String(count))))));
byID("main").append(...Object.keys(parts).map((name) => built[name]));
byID("origin").textContent = `Written by usher ${report.version} at ${moment(report.time)}. Times are those of the time zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
byID("theme").addEventListener("change", (event) => {
  document.documentElement.dataset.theme = event.target.value;
  routesPart.graph?.draw();
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byID("main").focus();
});
addEventListener("hashchange", () => {
  // A part that is already shown keeps its focus.
  if (location.hash === shownHash) return;
  const target = showPart();
  (target ?? byID("main")).focus({ preventScroll: true });
});
showPart();
