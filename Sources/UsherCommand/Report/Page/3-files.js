// What route files define besides routes: types, and routes that an error leaves out.

const routeFiles = tables.flatMap((table) => (table.files ?? []).map((file) => ({ ...file, layer: table.layer })));

/** The name of the type in a capture such as `{team:team}` or `{path:part...?}`. */
const typeName = /\{[^{}:]*:\s*([A-Za-z][\w-]*)(?=[}?=.*])/g;

/** Returns the types in a pattern that a file defines: the file of the route, or another one of its owner and layer. */
function typesIn(pattern, { route, table }) {
  const names = new Set([...pattern.matchAll(typeName)].map(([, name]) => name));
  return [...names].flatMap((name) => {
    const files = routeFiles.filter((file) => file.layer === table.layer && (file.file === route.file || file.owner === route.owner));
    files.sort((a, b) => (b.file === route.file) - (a.file === route.file));
    const file = files.find(({ types }) => types.some((type) => type.name === name));
    return file ? [{ ...file.types.find((type) => type.name === name), file: file.file }] : [];
  });
}

/** Returns what each type of these patterns that a file defines accepts. */
function typeNotes(patterns, known) {
  const types = new Map(known ? patterns.flatMap((pattern) => typesIn(pattern, known)).map((type) => [type.name, type]) : []);
  return [...types.values()].map((type) => make("p", { class: "small type" }, "Type ", make("code", {}, type.name), ": ",
    type.values ? ["one of ", commaList(type.values.slice(0, 20)), type.values.length > 20 && ` and ${many(type.values.length - 20, "other text")}`] : make("code", {}, type.written),
    " ", make("span", { class: "place code" }, place(type))));
}

/** Returns texts as code, with commas between them. */
const commaList = (texts) => texts.map((text, index) => [index > 0 && ", ", make("code", {}, text)]);

/** Returns the routes that an error leaves out: all of the file, if it is about the file, and otherwise the one in whose table it is. */
function leftOutBy(item) {
  const routes = routeFiles.filter((file) => file.file === item.file).flatMap((file) => file["left-out"]).sort((a, b) => a.line - b.line);
  const own = routes.filter((route) => route.line <= item.line).at(-1);
  return item.kind === "syntax" || !own ? routes : [own];
}

/** Returns an expression for the links that a pattern may match, whatever its types accept; null if the pattern cannot be read that far. */
function loosePattern(pattern) {
  if (!/^(?:[A-Za-z][\w+.-]*|\{:[\w+.|-]+\}|\*):/.test(pattern)) return null;
  // The slashes before a host are not those of a segment, which may be absent with its capture.
  const parts = pattern.match(/:\/\/|\/?\{[^{}]*\}\.?|\*|[?#].*$|[^{}*?#/:]+|[{}/:]/g) ?? [];
  const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  let [expression, catchAlls, captures] = ["", 0, 0];
  for (const part of parts) {
    const [, slash, inside, dot] = part.match(/^(\/?)\{([^{}]*)\}(\.?)$/) ?? [];
    if (inside?.includes("...")) catchAlls++;
    // The captures of one segment.
    if (part.startsWith("/")) captures = 0;
    if (part === "*" || (inside !== undefined && !/^:[\w+.|-]+$/.test(inside))) captures++;
    // A capture that is not closed may be anything, and so may what follows it. A search with many catch-alls, or captures of one segment, would take too long.
    if (part === "{" || part === "}" || catchAlls > 2 || captures > 2) return new RegExp(`^${expression}`, "i");
    if (/^[?#]/.test(part)) break;
    if (part === "*") expression += "[^/]*";
    else if (inside === undefined) expression += literal(part);
    else if (/^:[\w+.|-]+$/.test(inside)) expression += `${slash}(?:${inside.slice(1).split("|").map(literal).join("|")})${literal(dot)}`;
    else {
      const text = `${slash}${inside.includes("...") ? ".+" : "[^/]+"}${literal(dot)}`;
      expression += /\?|=/.test(inside) ? `(?:${text})?` : text;
    }
  }
  return new RegExp(`^${expression}/?$`, "i");
}

const meant = new Map();

/** Returns the requests whose link may be one for a route that is left out. */
function meantFor(route) {
  if (!meant.has(route)) {
    const expressions = route.patterns.map(loosePattern).filter(Boolean);
    meant.set(route, entries.filter((entry) => entry.urls.some((url) => expressions.some((expression) => expression.test(plainURL(url))))));
  }
  return meant.get(route);
}

/** Returns which links the routes should have received that an error leaves out. */
function leftOutNotes(item) {
  const routes = leftOutBy(item);
  if (item.kind === "syntax" && !routes.length) return make("p", { class: "small quiet" }, "Which routes the file has cannot be read.");
  const notes = routes.slice(0, 10).map((route) => {
    const links = meantFor(route);
    const address = `left-out-${routeFiles.findIndex((file) => file.file === item.file)}-${route.line}`;
    const counts = new Map();
    for (const { application } of links) counts.set(application ?? "no application", (counts.get(application ?? "no application") ?? 0) + 1);
    const went = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 4).map(([application, count]) => `${shortNumber.format(count)} to ${application}`).join(", ");
    return make("div", { class: "left-out small" },
      make("p", {}, "The route ", route.route ? make("code", {}, route.route) : `in line ${route.line}`, " is left out. ",
        route.patterns.length ? ["It is for ", commaList(route.patterns), "."] : "Its patterns cannot be read."),
      links.length > 0 && make("p", {}, `${many(links.length, "link")} of the history may be meant for it, and went elsewhere: ${went}. `,
        make("a", { href: selecting(address, `that may be meant for the route ${route.route ?? `in line ${route.line}`}`, links) }, `Show the ${many(links.length, "link")}`)));
  });
  return [notes, routes.length > notes.length && make("p", { class: "small quiet" }, `${many(routes.length - notes.length, "other route")} of this file are left out, too.`)];
}
