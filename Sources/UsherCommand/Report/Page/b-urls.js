// Explained URLs: the winner, its captures, and near misses with the differing part marked.

function urlsView() {
  const urls = tables.flatMap((table) => (table.explanations ?? []).map((explanation) => ({ explanation, table })));
  const view = make("div", {});
  if (!urls.length) {
    view.append(empty("No URLs are explained", make("span", {}, "Name a file with one URL per line: ", make("code", {}, "usher report --urls links.txt"))));
    return view;
  }
  let shown = urls;
  const text = make("input", { type: "search", placeholder: "A part of a URL or of a route", autocomplete: "off" });
  const only = make("select", {}, [["", "All URLs"], ["none", "URLs without a route"], ["miss", "URLs with near misses"]].map(([value, name]) => make("option", { value }, name)));
  const result = make("span", { class: "result small quiet", role: "status" });
  const list = new RowList({
    role: "grid", label: "URLs and their routes", class: "urls", rowHeight: () => (innerWidth <= 760 ? 58 : 38),
    row: (index) => {
      const { explanation } = shown[index];
      return make("div", { role: "row" }, make("span", { class: "url", role: "gridcell" }, explanation.url),
        make("span", { role: "gridcell" }, explanation.winner
          ? [make("span", { class: "badge good" }, explanation.winner.route), " ", make("span", { class: "quiet small" }, actionOf(shown[index]))]
          : make("span", { class: "badge open" }, explanation["near-misses"].length ? `no route · ${many(explanation["near-misses"].length, "near miss", "near misses")}` : "no route")));
    },
    open: (index) => routesPart.pair.open("URL", urlSections(shown[index]), list.element),
  });
  const none = empty("No URL matches", "Change the search or the filter.");
  const filter = () => {
    const words = searchWords(text);
    shown = urls.filter(({ explanation }) => (only.value !== "none" || !explanation.winner) && (only.value !== "miss" || explanation["near-misses"].length)
      && words.every((word) => `${explanation.url} ${explanation.winner?.route ?? ""}`.toLowerCase().includes(word)));
    result.textContent = many(shown.length, "URL");
    list.element.hidden = !shown.length;
    none.hidden = shown.length > 0;
    list.show(shown.length);
  };
  list.follow(text);
  for (const input of [text, only]) input.addEventListener("input", filter);
  view.append(make("div", { class: "filters" }, make("label", { class: "wide" }, "Search", text), make("label", {}, "Show", only), result), list.element, none);
  view.list = list;
  filter();
  return view;
}

/** The action of the route that wins an explained URL. */
function actionOf({ explanation, table }) {
  const route = table.routes.find((route) => route.route === explanation.winner?.route && route.file === explanation.winner.file);
  return route ? actionText(route.action) : "";
}

function urlSections({ explanation, table }) {
  const { winner } = explanation;
  return [
    make("section", {}, make("p", { class: "big" }, explanation.url), explanation.notes.map((note) => make("p", { class: "small quiet" }, note)),
      make("p", { class: "small quiet" }, "For a link whose source is unknown. A request in the history shows the decision for its own source.")),
    section("Winner", winner
      ? [routeItem(winner, "decides", "good"),
        (Object.keys(winner.captures).length > 0 || winner.secret) && facts([
          ...Object.entries(winner.captures).map(([name, value]) => [name, make("code", {}, String(value))]),
          ...(winner.secret ?? []).map((name) => [name, make("span", { class: "quiet" }, "not shown")])])]
      : make("p", {}, explanation.reason ? `No route matches: ${explanation.reason}.` : "No route matches.")),
    explanation["near-misses"].length > 0 && section(winner ? "Would win, but do not match" : "Near misses", explanation["near-misses"].map((miss) => missItem(miss, explanation.url, "does not match"))),
    explanation.losers.length > 0 && section("Also match", explanation.losers.slice(0, 20).map((loser) => loserItem(loser, winner, explainingURL(plainURL(explanation.url))))),
    tables.length > 1 && section("Layer", make("p", {}, layers[table.layer])),
  ].filter(Boolean);
}
