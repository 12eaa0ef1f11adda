// The part about routes: findings, the table as a tree and a graph, and explained URLs.

/** A node of the tree of patterns. */
class PatternNode {
  constructor(label, parent) {
    Object.assign(this, { label, parent, depth: parent ? parent.depth + 1 : -1, children: [], routes: 0, dead: 0, hits: 0, isOpen: false });
    // What is below the node: a route with several patterns, and a link that several routes may receive, count once.
    this.below = { routes: new Set(), dead: new Set(), links: new Set() };
    this.steps = new Map();
  }

  step(label) {
    if (!this.steps.has(label)) {
      const node = new PatternNode(label, this);
      this.steps.set(label, node);
      this.children.push(node);
    }
    return this.steps.get(label);
  }

  get path() { return this.parent?.parent ? `${this.parent.path}${this.label}` : this.label; }
}

function patternTree() {
  const root = new PatternNode("", null);
  for (const table of tables) {
    const start = tables.length > 1 ? root.step(layers[table.layer]) : root;
    for (const [index, route] of table.routes.entries()) {
      const isReached = table.coverage?.routes[index]?.count > 0;
      const isDead = deadKeys.has(keyOf(nameOf({ route, table })));
      for (const pattern of route.patterns) {
        let node = start;
        for (const step of pattern.steps) node = node.step(step);
        const leaf = new PatternNode("", node);
        const links = pattern.links ?? [];
        Object.assign(leaf, { route, table, pattern: pattern.pattern, hits: links.length, isReached, dead: isDead ? 1 : 0, routes: 1 });
        node.children.push(leaf);
        for (let above = node; above; above = above.parent) {
          above.below.routes.add(route);
          if (isDead) above.below.dead.add(route);
          for (const link of links) above.below.links.add(link);
        }
      }
    }
  }
  count(root);
  for (const child of [...root.children]) merge(child);
  return root;
}

/** Counts what is below a node and its children. */
function count(node) {
  if (node.route) return;
  Object.assign(node, { routes: node.below.routes.size, dead: node.below.dead.size, hits: node.below.links.size });
  node.children.forEach(count);
}

/** Merges each node that has only one child, itself a step, with that child. */
function merge(node) {
  while (node.children.length === 1 && !node.children[0].route) {
    const [child] = node.children;
    node.label += child.label;
    node.children = child.children;
    for (const grandchild of node.children) grandchild.parent = node;
  }
  if (node.children.length === 1 && node.parent) {
    // A pattern with one route is one node.
    const [{ route, table, pattern, hits, isReached, dead }] = node.children;
    Object.assign(node, { route, table, pattern, hits, isReached, dead, children: [] });
  }
  for (const child of node.children) {
    child.depth = node.depth + 1;
    merge(child);
  }
}

/** The keys of an action that say what it does; its other keys are options. */
const actionKeys = ["open", "deny", "allow", "rewrite", "ask", "perform", "exec", "handler"];
const actionKey = (action) => actionKeys.find((key) => key in action) ?? Object.keys(action)[0];

function actionText(action) {
  const key = actionKey(action);
  const value = action[key];
  if (key === "allow") return "allow";
  if (key === "perform") return `perform ${value.application}#${value.action}`;
  const text = Array.isArray(value) ? value.map(targetText).join(" ") : typeof value === "boolean" ? "" : targetText(value);
  return `${key} ${text}`.trim();
}

/** Returns an application, a browser with its profile, or another text of an action. */
function targetText(target) {
  if (!target?.browser) return String(target);
  const options = [target.profile, target.private && "private"].filter(Boolean);
  return `${target.browser}${options.length ? ` (${options.join(", ")})` : ""}`;
}

/** Returns the badges of a route or of the routes below a node. */
function routeBadges(node) {
  return [
    node.dead > 0 && make("span", { class: "badge bad" }, node.route ? "dead" : `${node.dead} dead`),
    node.hits > 0 && make("span", { class: "badge good" }, many(node.hits, "URL")),
  ].filter(Boolean);
}

const routesPart = {
  build() {
    this.root = patternTree();
    if (!routeCount) {
      return make("div", { class: "stack" }, heading("Routes"),
        card("Route table", "", empty("There are no routes", "The desktop's defaults alone decide. Route files are TOML files in ~/.config/usher/routes.")), this.findings());
    }
    // The first levels are open, as long as the first view of both tree and graph can be read at once.
    for (let level = this.root.children, count = level.length; level.length; ) {
      const open = level.filter((node) => (count + node.children.length <= 40 ? (count += node.children.length) : 0));
      for (const node of open) node.isOpen = true;
      level = open.flatMap((node) => node.children.filter((child) => !child.route));
    }
    this.text = make("input", { type: "search", placeholder: "Pattern, route or application", autocomplete: "off" });
    this.which = make("select", {}, [["", "All routes"], ["dead", "Dead routes"], ["unused", "Routes that no link reached"], ["used", "Routes that links reached"]]
      .map(([value, text]) => make("option", { value }, text)));
    this.result = make("span", { class: "small quiet", role: "status" });
    this.tree = new RowList({
      role: "tree", label: "Routes", class: "tree", rowHeight: () => 34,
      row: (index) => this.row(index), open: (index) => this.openRow(index), key: (event, index) => this.pressed(event, index),
    });
    this.graph = new Graph(this.root, (node) => this.openRoute(node, this.graph.canvas));
    const urls = urlsView((url) => this.pair.close());
    this.none = empty("No route matches", "Change the search or the filter.");
    const views = { Tree: make("div", {}, this.tree.element, this.none), Graph: this.graph.element, URLs: urls };
    const buttons = Object.keys(views).map((name) => make("button", { type: "button", "aria-pressed": name === "Tree", onclick: () => choose(name) }, name));
    const choose = (name) => {
      for (const button of buttons) button.setAttribute("aria-pressed", button.textContent === name);
      for (const [other, view] of Object.entries(views)) view.hidden = other !== name;
      search.hidden = name === "URLs";
      if (name === "Graph") this.graph.appear();
      if (name === "Tree") this.tree.draw(true);
      urls.list?.draw(true);
    };
    const search = make("div", { class: "bar grow" },
      make("label", { class: "grow" }, make("span", { class: "hidden" }, "Search the routes"), this.text),
      make("label", {}, make("span", { class: "hidden" }, "Which routes"), this.which),
      make("button", { type: "button", onclick: () => this.openAll(true) }, "Expand"), make("button", { type: "button", onclick: () => this.openAll(false) }, "Collapse"), this.result);
    const table = make("section", { class: "card", "aria-label": "Route table" },
      make("div", { class: "filters views" }, make("div", { class: "switch", role: "group", "aria-label": "View" }, buttons), search), Object.values(views));
    this.pair = new Pair(table, "The opened route");
    this.tree.follow(this.text);
    for (const input of [this.text, this.which]) input.addEventListener("input", () => this.filter());
    this.choose = choose;
    choose("Tree");
    this.filter();
    const covered = tables.filter((table) => table.coverage);
    const reached = covered.reduce((sum, table) => sum + table.coverage.routes.filter((route) => route.count > 0).length, 0);
    return make("div", { class: "stack" },
      heading("Routes", `${many(routeCount, "route")} in ${many(new Set(tables.flatMap((table) => table.routes.map((route) => route.file))).size, "file")}. `,
        covered.length > 0 ? `The links of the history reach ${reached} of them. The history stores no queries and no rewritten links, so a route that needs a query, or rewrites, counts as not reached.` : "",
        tables.some((table) => table.layer === "files") ? " These are the routes of the files that --routes named, which need not be those in force. Links and requests of the history are decided by the routes in force." : ""),
      this.pair.element, this.findings());
  },

  filter() {
    const words = searchWords(this.text);
    this.words = words;
    const tests = { "": () => true, dead: (leaf) => leaf.dead, unused: (leaf) => !leaf.isReached, used: (leaf) => leaf.isReached };
    this.isFiltered = words.length > 0 || this.which.value !== "";
    const found = new Set();
    let count = 0;
    const visit = (node) => {
      if (node.route) {
        const text = `${node.route.route} ${node.pattern} ${actionText(node.route.action)} ${node.route.file} ${node.route.owner}`.toLowerCase();
        node.isShown = tests[this.which.value](node) && words.every((word) => text.includes(word));
        count += node.isShown ? 1 : 0;
        if (node.isShown) found.add(node.route);
      } else {
        node.isShown = false;
        for (const child of node.children) if (visit(child)) node.isShown = true;
      }
      return node.isShown;
    };
    visit(this.root);
    if (this.isFiltered) {
      // Few results are shown at once; of many, only the first level.
      const expand = (node) => { node.isOpen = count <= 300 || node.depth < 0; node.children.filter((child) => child.isShown).forEach(expand); };
      expand(this.root);
    }
    this.tree.element.hidden = count === 0;
    this.none.hidden = count > 0;
    this.result.textContent = this.isFiltered ? `${many(found.size, "route")} found` : "";
    this.update();
    this.graph.filter(this.isFiltered);
  },

  update(keepsPosition = false) {
    this.rows = [];
    const visit = (node) => {
      const shown = node.children.filter((child) => child.isShown);
      for (const [index, child] of shown.entries()) {
        child.position = index + 1;
        child.siblings = shown.length;
        this.rows.push(child);
        if (child.isOpen && !child.route) visit(child);
      }
    };
    visit(this.root);
    this.tree.show(this.rows.length, { keepsPosition });
  },

  openAll(isOpen) {
    const visit = (node) => { node.isOpen = isOpen || node.depth < 0; node.children.forEach(visit); };
    visit(this.root);
    this.update();
    this.graph.arrange(true);
  },

  row(index) {
    const node = this.rows[index];
    const row = make("div", {
      role: "treeitem", "aria-level": node.depth + 1, "aria-posinset": node.position, "aria-setsize": node.siblings,
      "aria-expanded": node.route ? null : String(node.isOpen), class: node.route ? "route" : "step",
    },
      make("span", { class: "twist", "aria-hidden": "true" }, node.route ? "" : node.isOpen ? "▾" : "▸"),
      node.label && make("span", { class: "label" }, ...marked(node.label, this.words)),
      node.route ? [make("strong", {}, ...marked(node.route.route, this.words)), make("span", { class: "what" }, ...marked(actionText(node.route.action), this.words))] : make("span", { class: "count" }, many(node.routes, "route")),
      routeBadges(node),
      node.route && make("span", { class: "place end" }, place(node.route).replace(/^.*\//, "")));
    row.style.paddingLeft = `${14 + node.depth * (innerWidth <= 760 ? 12 : 20)}px`;
    return row;
  },

  openRow(index) {
    const node = this.rows[index];
    if (node.route) return this.openRoute(node, this.tree.element);
    this.toggle(node, !node.isOpen);
  },

  /** Shows a route in the tree, and opens it. */
  show(route) {
    goTo("routes");
    this.reveal(route);
  },

  /** Shows all routes, or those that an address names, without what was searched before; returns the element for the focus. */
  open(query) {
    if (!routeCount) return null;
    const isDead = query.get("show") === "dead";
    this.pair.hide();
    this.choose("Tree");
    [this.text.value, this.which.value] = ["", isDead ? "dead" : ""];
    this.filter();
    const dead = isDead && deadKeys.size === 1 ? this.deadNode(this.root) : null;
    if (!dead) return this.tree.element.hidden ? this.which : this.tree.element;
    this.reveal(dead.route);
    return this.pair.panel.querySelector("h3");
  },

  deadNode(node) { return node.route ? (node.dead ? node : null) : node.children.map((child) => this.deadNode(child)).find(Boolean) ?? null; },

  /** Opens a route in the tree, which then has all routes. */
  reveal(route) {
    this.choose("Tree");
    [this.text.value, this.which.value] = ["", ""];
    this.filter();
    const find = (node) => (node.route === route ? node : node.children.map(find).find(Boolean));
    const node = find(this.root);
    for (let above = node.parent; above; above = above.parent) above.isOpen = true;
    this.update();
    this.tree.select(this.rows.indexOf(node), true);
    this.tree.reveal();
  },

  toggle(node, isOpen) {
    node.isOpen = isOpen;
    this.update(true);
    this.tree.select(this.rows.indexOf(node));
    this.graph.arrange();
  },

  pressed(event, index) {
    const node = this.rows[index];
    if (event.key === "ArrowRight") {
      if (!node.route && !node.isOpen) this.toggle(node, true);
      else if (!node.route) this.tree.select(index + 1);
    } else if (event.key === "ArrowLeft") {
      if (!node.route && node.isOpen) this.toggle(node, false);
      else if (this.rows.includes(node.parent)) this.tree.select(this.rows.indexOf(node.parent));
    } else return false;
    return true;
  },

  openRoute(node, returnTo) {
    const { route, table } = node;
    const links = decided.get(route) ?? [];
    const key = keyOf(nameOf(node));
    const own = [...deadRoutes, ...otherFindings].filter((finding) => keyOf(finding) === key);
    const [lost, won] = ["loser", "winner"].map((role) => overlaps.filter((finding) => keyOf(finding[role]) === key));
    this.pair.open(route.route, [
      make("section", {}, route.patterns.map((pattern) => make("p", {}, make("span", { class: "big" }, pattern.pattern), " ", make("span", { class: "place" }, `line ${pattern.line}`))), typeNotes(route.patterns.map(({ pattern }) => pattern), node), make("div", { class: "bar" }, routeBadges(node))),
      section("Action", facts(Object.entries(route.action).map(([key, value]) => [key, make("code", {}, typeof value === "string" ? value : JSON.stringify(value))]))),
      route.when?.length > 0 && section("Conditions", facts(route.when.map((condition) => [condition.name, condition.values.join(", ")]))),
      section("Where", facts([["layer", layers[table.layer]], ["owner", route.owner], ["file", make("code", {}, route.file)], ["header", `line ${route.line}`],
        [route.patterns.length === 1 ? "pattern" : "patterns", `line ${[...new Set(route.patterns.map((pattern) => pattern.line))].join(", ")}`]]), editing(route) && command(editing(route))),
      (own.length > 0 || lost.length > 0 || (won.length > 0 && !node.dead)) && section("Findings", own.map((finding) => (finding.kind === "never-wins" ? [deadSentence(finding), deadAdvice(finding), checkMessage(finding)] : make("p", {}, prose(finding.message)))),
        lost.length > 0 && [consequence(lost), overlapDetails(lost)],
        won.length > 0 && !node.dead && make("p", {}, "It wins over ", won.map((finding, index) => [index > 0 && ", ", linkTo(finding.loser)]), ", which match some of the same links.")),
      links.length > 0 && section("Links that it decided", make("ul", { class: "links" }, links.slice(0, 20).map((entry) => make("li", {},
        make("button", { type: "button", class: "plain code", onclick: () => historyPart.openEntry(entry) }, entry.urls[0]),
        make("span", { class: "quiet small" }, ` ${moment(entry.time)} → ${entry.application ?? "no application"}`)))),
      make("p", { class: "quiet small" }, links.length > 20 ? `${many(links.length - 20, "earlier link")} not shown. ` : "", "By the rules at the time of the report, for the newest links of the history.")),
    ].filter(Boolean), returnTo);
  },

  findings() {
    const shown = (items, badge, tone) => items.map((item) => ({ ...item, badge, tone, command: item.command ?? fixing(item),
      more: item.witness ? make("p", { class: "small quiet" }, "for example ", make("code", {}, item.witness)) : routeDiagnostics.includes(item) && item.kind && leftOutNotes(item) }));
    const limited = (items, list) => [list(items.slice(0, 100)), items.length > 100 && make("p", { class: "pad small quiet" }, `${many(items.length - 100, "more")} are not shown; usher routes check --strict lists all.`)];
    const unmatched = tables.flatMap((table) => tables.length === 1 ? table.coverage?.unmatched ?? [] : []);
    const problems = [...shown(routeDiagnostics, "route file", "bad"), ...shown(deadRoutes, "dead", "bad"), ...otherFindings.flatMap((finding) => shown([finding], findingBadges[finding.kind] ?? finding.kind, "open"))];
    const incomplete = tables.flatMap((table) => table.check.limits);
    return make("div", { class: "columns" },
      card("Dead routes and errors", problems.length ? many(problems.length, "finding") : "",
        limited(problems, (items) => findingList(items, "No dead route", "Each route wins at least one URL, and the files have no errors.")),
        incomplete.map((limit) => make("p", { class: "pad small quiet" }, `The check is incomplete: ${limit}`))),
      card("Overlaps", overlaps.length ? `${many(overlaps.length, "overlap")} of ${many(overlapGroups().length, "route")}` : "",
        limited(overlapGroups(), overlapList)),
      unmatched.length > 0 && card("Links without a route", many(unmatched.length, "URL"),
        make("div", { class: "pad" }, make("p", { class: "small quiet" }, "The desktop's defaults decide these."),
          make("ul", {}, unmatched.slice(0, 50).map((item) => make("li", { class: "code" }, item.url))))));
  },
};
