// The tree of patterns as a graph that can be moved, zoomed and searched.

class Graph {
  constructor(root, openRoute) {
    Object.assign(this, { root, openRoute, scale: 1, x: 24, y: 24, selected: null });
    this.canvas = make("canvas", {
      tabindex: 0, role: "application", "aria-roledescription": "graph",
      "aria-label": "Routes as a graph. Arrow keys select a node, Enter opens it, plus and minus zoom, 0 fits all. The tree has the same content.",
    });
    const zoom = (text, label, act) => make("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
    this.element = make("div", { class: "graph" }, this.canvas, make("div", { class: "zoom" },
      zoom("−", "Zoom out", () => this.zoom(1 / 1.4)), zoom("+", "Zoom in", () => this.zoom(1.4)), zoom("Fit", "Fit all", () => this.fit())));
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  listen() {
    const pointers = new Map();
    let moved = 0;
    this.canvas.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, event);
      this.canvas.setPointerCapture(event.pointerId);
      moved = 0;
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return this.hover(event);
      const others = [...pointers.values()].filter((other) => other.pointerId !== event.pointerId);
      if (others.length) {
        const distance = (a, b) => Math.hypot(a.offsetX - b.offsetX, a.offsetY - b.offsetY);
        this.zoom(distance(event, others[0]) / Math.max(1, distance(before, others[0])), others[0].offsetX, others[0].offsetY);
      } else {
        this.x += event.offsetX - before.offsetX;
        this.y += event.offsetY - before.offsetY;
      }
      moved += Math.abs(event.offsetX - before.offsetX) + Math.abs(event.offsetY - before.offsetY);
      pointers.set(event.pointerId, event);
      this.draw();
    });
    const up = (event) => {
      if (pointers.delete(event.pointerId) && event.type === "pointerup" && moved < 5) {
        const node = this.nodeAt(event.offsetX, event.offsetY);
        if (node) this.activate(node);
      }
    };
    this.canvas.addEventListener("pointerup", up);
    this.canvas.addEventListener("pointercancel", up);
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.offsetX, event.offsetY);
    }, { passive: false });
    this.canvas.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** Shows the graph for the first time, or again. */
  appear() {
    if (!this.hasAppeared) {
      this.hasAppeared = true;
      this.arrange(true);
    } else this.draw();
  }

  filter(isFiltered) {
    this.isFiltered = isFiltered;
    this.arrange(true);
  }

  /**
   * Computes the places. The children of a node are below one another at its right; many children fill several columns in a frame, so that a table
   * with thousands of routes is about as wide as high.
   */
  arrange(fits = false) {
    if (!this.hasAppeared) return;
    this.nodes = [];
    const pen = this.canvas.getContext("2d");
    pen.font = Graph.font;
    this.measure(this.root, pen);
    this.size = this.root.box;
    this.place(this.root, 0, 0);
    if (!this.nodes.includes(this.selected)) this.selected = null;
    if (fits) this.fit();
    else this.draw();
  }

  /** Computes the size of a node with everything at its right, and the columns of its children. */
  measure(node, pen) {
    node.kids = node.isOpen || node.depth < 0 ? node.children.filter((child) => child.isShown) : [];
    for (const kid of node.kids) {
      const label = kid.label || kid.route.route;
      const isOpen = kid.isOpen && kid.children.length > 0;
      kid.text = label.length > 40 ? `${label.slice(0, 39)}…` : label;
      kid.note = kid.route ? `  ${kid.label ? `${kid.route.route}: ` : ""}${actionText(kid.route.action)}`.slice(0, 60) : isOpen ? "" : `  ${kid.routes}`;
      kid.width = pen.measureText(kid.text + kid.note).width + 16;
    }
    // The children of siblings begin at the same place.
    const span = Math.max(0, ...node.kids.filter((kid) => kid.isOpen && kid.children.length).map((kid) => kid.width));
    let area = 0, highest = 16 * Graph.line;
    for (const kid of node.kids) {
      kid.span = span;
      this.measure(kid, pen);
      area += kid.box.width * kid.box.height;
      highest = Math.max(highest, kid.box.height);
    }
    const limit = Math.max(highest, Math.sqrt(area / 1.7));
    node.columns = [];
    for (const kid of node.kids) {
      let column = node.columns.at(-1);
      if (!column || column.height + kid.box.height > limit) node.columns.push((column = { kids: [], width: 0, height: 0 }));
      column.kids.push(kid);
      column.width = Math.max(column.width, kid.box.width);
      column.height += kid.box.height;
    }
    const rim = node.columns.length > 1 && node.depth >= 0 ? 12 : 0;
    node.block = {
      width: node.columns.reduce((sum, column) => sum + column.width + 24, -24) + 2 * rim,
      height: Math.max(0, ...node.columns.map((column) => column.height)) + 2 * rim, rim,
    };
    const own = node.depth < 0 ? 0 : node.kids.length ? node.span + 44 : node.width;
    node.box = { width: own + (node.kids.length ? node.block.width : 0), height: Math.max(Graph.line, node.block.height + (rim ? 10 : 0)) };
  }

  place(node, x, y) {
    if (node.depth >= 0) {
      Object.assign(node, { px: x, py: y + node.box.height / 2 - Graph.line / 2, top: y });
      this.nodes.push(node);
    }
    if (!node.kids.length) return;
    node.block.x = node.depth < 0 ? x : x + node.span + 44;
    node.block.y = y + (node.box.height - node.block.height) / 2;
    let left = node.block.x + node.block.rim;
    for (const column of node.columns) {
      // A column that is lower than the others begins at their top.
      let top = node.block.y + node.block.rim;
      for (const kid of column.kids) {
        this.place(kid, left, top);
        top += kid.box.height;
      }
      left += column.width + 24;
    }
  }

  /** The scale at which everything is in view. */
  get whole() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    return Math.min((width - 48) / this.size.width, (height - 48) / this.size.height, 1.25);
  }

  fit() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width) return;
    this.scale = this.whole;
    this.x = Math.max(24, Math.min((width - this.size.width * this.scale) / 2, 120));
    this.y = (height - this.size.height * this.scale) / 2;
    this.draw();
  }

  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    const scale = Math.max(Math.min(1, this.whole) / 2, Math.min(3, this.scale * factor));
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.draw();
  }

  nodeAt(x, y) {
    const [px, py] = [(x - this.x) / this.scale, (y - this.y) / this.scale];
    return this.nodes?.find((node) => px >= node.px && px <= node.px + node.width && py >= node.py && py <= node.py + 24);
  }

  hover(event) {
    const node = this.nodeAt(event.offsetX, event.offsetY);
    this.canvas.style.cursor = node ? "pointer" : "";
    this.canvas.title = node ? (node.route ? `${node.pattern}\n${actionText(node.route.action)}\n${place(node.route)}` : `${node.path}\n${many(node.routes, "route")}`) : "";
  }

  activate(node) {
    this.select(node);
    if (node.route) this.openRoute(node);
    else routesPart.toggle(node, !node.isOpen);
  }

  select(node) {
    if (!node) return;
    this.selected = node;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const [x, y] = [node.px * this.scale + this.x, node.py * this.scale + this.y];
    if (x < 0 || x + 120 > width) this.x = width / 3 - node.px * this.scale;
    if (y < 0 || y + 24 > height) this.y = height / 2 - node.py * this.scale;
    const state = node.route ? actionText(node.route.action) : `${many(node.routes, "route")}, ${node.isOpen ? "open" : "closed"}`;
    announce(`${node.label} ${node.route?.route ?? ""}, ${state}${node.dead ? `, ${node.dead} dead` : ""}`);
    this.draw();
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const node = this.selected;
    const siblings = node?.parent.kids ?? [];
    const moves = {
      ArrowRight: () => (node ? node.kids[0] ?? (!node.route && !node.isOpen ? this.activate(node) : null) : this.nodes[0]),
      ArrowLeft: () => (node?.parent.depth >= 0 ? node.parent : node),
      ArrowDown: () => (node ? siblings[siblings.indexOf(node) + 1] ?? node : this.nodes[0]),
      ArrowUp: () => (node ? siblings[siblings.indexOf(node) - 1] ?? node : this.nodes[0]),
    };
    if (moves[event.key]) this.select(moves[event.key]());
    else if (event.key === "Enter" || event.key === " ") node && this.activate(node);
    else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!this.nodes || !width) return;
    const ratio = devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const style = getComputedStyle(this.element);
    const colour = (name) => Graph.resolved(style.getPropertyValue(name));
    const [line, text, quiet, surface, accent, bad, good, raised, soft, onAccent, faint] =
      ["--line", "--text", "--quiet", "--surface", "--accent", "--bad", "--good", "--raised", "--accent-soft", "--on-accent", "--faint"].map(colour);
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.setTransform(ratio * this.scale, 0, 0, ratio * this.scale, ratio * this.x, ratio * this.y);
    const [left, top, right, bottom] = [-this.x / this.scale, -this.y / this.scale, (width - this.x) / this.scale, (height - this.y) / this.scale];
    const isLegible = this.scale > 0.35;
    pen.lineWidth = Math.max(1, 0.7 / this.scale);
    const isInView = (x, y, width, height) => x < right && x + width > left && y < bottom && y + height > top;
    pen.strokeStyle = line;
    pen.beginPath();
    for (const node of this.nodes) {
      const { block } = node;
      if (!node.kids.length || !isInView(node.px, node.top, node.box.width, node.box.height)) continue;
      const [x1, y1] = [node.px + node.width, node.py + 12];
      if (block.rim) {
        pen.moveTo(x1, y1);
        pen.lineTo(block.x, y1);
        pen.roundRect(block.x, block.y, block.width, block.height, 10);
        continue;
      }
      for (const kid of node.kids) {
        const [x2, y2] = [kid.px, kid.py + 12];
        pen.moveTo(x1, y1);
        if (isLegible) pen.bezierCurveTo((x1 + x2) / 2, y1, (x1 + x2) / 2, y2, x2, y2);
        else pen.lineTo(x2, y2);
      }
    }
    pen.stroke();
    pen.font = Graph.font;
    pen.textBaseline = "middle";
    for (const node of this.nodes) {
      if (!isInView(node.px, node.py, node.width, Graph.line)) continue;
      const isSelected = node === this.selected;
      const tone = node.dead && node.route ? bad : node.route ? (node.hits ? good : quiet) : accent;
      if (!isLegible) {
        pen.fillStyle = tone === quiet ? faint : tone;
        pen.fillRect(node.px, node.py + 4, node.width, 16);
        continue;
      }
      pen.fillStyle = isSelected ? accent : node.route ? surface : node.isOpen ? raised : soft;
      pen.strokeStyle = isSelected ? accent : node.route || node.dead ? (node.dead ? bad : tone) : line;
      pen.beginPath();
      pen.roundRect(node.px, node.py + 1, node.width, 22, 6);
      pen.fill();
      pen.stroke();
      pen.fillStyle = isSelected ? onAccent : text;
      pen.fillText(node.text, node.px + 8, node.py + 12.5);
      if (node.note) {
        pen.fillStyle = isSelected ? onAccent : quiet;
        pen.fillText(node.note, node.px + 8 + pen.measureText(node.text).width, node.py + 12.5);
      }
    }
    if (!isLegible) this.drawNames(pen, ratio, { surface, text, line }, isInView);
  }

  /** Draws the names of the nodes that are large enough at their places, but in a size that can be read. */
  drawNames(pen, ratio, { surface, text, line }, isInView) {
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.font = Graph.smallFont;
    pen.lineWidth = 1;
    const taken = [];
    for (const node of [...this.nodes].sort((a, b) => b.routes - a.routes)) {
      if (taken.length > 150) break;
      // A name stands for what is around it, so small nodes have none.
      if (node.route || node.box.height * this.scale < 14 || !isInView(node.px, node.top, node.box.width, node.box.height)) continue;
      const name = node.text;
      const width = pen.measureText(name).width + 10;
      const [x, y] = [Math.max(2, node.px * this.scale + this.x), node.top * this.scale + this.y];
      if (taken.some(([left, top, other]) => x < left + other && left < x + width && Math.abs(y - top) < 18)) continue;
      taken.push([x, y, width]);
      pen.fillStyle = surface;
      pen.strokeStyle = line;
      pen.beginPath();
      pen.roundRect(x, y, width, 17, 4);
      pen.fill();
      pen.stroke();
      pen.fillStyle = text;
      pen.fillText(name, x + 5, y + 9);
    }
  }
}

Graph.line = 26;
Graph.smallFont = '11px system-ui, Cantarell, "Noto Sans", "DejaVu Sans", sans-serif';
Graph.font = '13px system-ui, Cantarell, "Noto Sans", "DejaVu Sans", sans-serif';
/** Returns a colour as the canvas reads it: a custom property keeps `light-dark(…)` as its text. */
Graph.resolved = (value) => {
  Graph.probe ??= document.body.appendChild(make("span", { hidden: true }));
  Graph.probe.style.color = value;
  return getComputedStyle(Graph.probe).color;
};
