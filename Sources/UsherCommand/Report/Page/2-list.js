// A list that draws only the rows in view, as a grid or a tree for assistive technology.

class RowList {
  /**
   * @param {{role: string, label: string, class: string, rowHeight: () => number, row: (index: number) => HTMLElement,
   *   columns?: string[], open?: (index: number) => void, key?: (event: KeyboardEvent, index: number) => boolean}} options
   *   `row` returns the element of a row; `open` is called on a click and on Enter; `key` handles further keys.
   */
  constructor(options) {
    this.options = options;
    this.count = 0;
    this.current = -1;
    this.drawn = new Map();
    this.extent = make("div", { class: "extent", role: options.role === "tree" ? "none" : "rowgroup" });
    this.head = options.columns && make("div", { role: "rowgroup", class: "heads" }, make("div", { role: "row", class: "columns-head", "aria-rowindex": 1 },
      options.columns.map((text) => make("span", { role: "columnheader" }, text))));
    this.element = make("div", { class: `list ${options.class}`, role: options.role, tabindex: 0, "aria-label": options.label },
      this.head, this.extent);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.pressed(event));
    this.element.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) this.select(Number(row.dataset.index), true);
    });
    new ResizeObserver(() => this.draw(true)).observe(this.element);
  }

  /** Shows another number of rows, or the same number with other content. */
  show(count, { keepsPosition = false } = {}) {
    this.count = count;
    if (!keepsPosition) {
      this.current = -1;
      this.element.scrollTop = 0;
    }
    if (this.options.role !== "tree") this.element.setAttribute("aria-rowcount", count + (this.head ? 1 : 0));
    this.draw(true);
  }

  draw(isComplete = false) {
    const height = this.options.rowHeight();
    this.extent.style.height = `${this.count * height}px`;
    // The current row stays in its place when rows become higher because the list has become narrower.
    if (this.current >= 0 && this.height && height !== this.height) this.element.scrollTop += this.current * (height - this.height);
    this.height = height;
    const first = Math.max(0, Math.floor(this.element.scrollTop / height) - 8);
    const last = Math.min(this.count, Math.ceil((this.element.scrollTop + this.element.clientHeight) / height) + 8);
    for (const [index, row] of this.drawn) {
      if (isComplete || index < first || index >= last) {
        row.remove();
        this.drawn.delete(index);
      }
    }
    for (let index = first; index < last; index++) {
      if (this.drawn.has(index)) continue;
      const row = this.options.row(index);
      row.classList.add("row");
      row.id = `${this.options.class}-${index}`;
      row.dataset.index = index;
      row.style.height = `${height}px`;
      row.style.transform = `translateY(${index * height}px)`;
      if (this.options.role !== "tree") row.setAttribute("aria-rowindex", index + (this.head ? 2 : 1));
      this.drawn.set(index, row);
      // Assistive technology reads the rows in the order of the document.
      const next = [...this.drawn.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
      this.extent.insertBefore(row, next === undefined ? null : this.drawn.get(next));
    }
    this.mark();
  }

  mark() {
    for (const [index, row] of this.drawn) {
      const isCurrent = index === this.current;
      row.classList.toggle("current", isCurrent);
      row.setAttribute("aria-selected", isCurrent);
    }
    const row = this.drawn.get(this.current);
    if (row) this.element.setAttribute("aria-activedescendant", row.id);
    else this.element.removeAttribute("aria-activedescendant");
  }

  select(index, opens = false) {
    if (this.count === 0) return;
    // The rows may have another height since they were drawn, which moves them for the row that was current.
    this.draw();
    this.current = Math.max(0, Math.min(this.count - 1, index));
    const height = this.options.rowHeight();
    const top = this.current * height;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    const bottom = top + height - (this.element.clientHeight - (this.head?.offsetHeight ?? 0));
    if (bottom > this.element.scrollTop) this.element.scrollTop = bottom;
    this.draw();
    if (opens) this.options.open?.(this.current);
  }

  /** Scrolls the list and the window until the current row is in both. */
  reveal() {
    // The rows may have become higher, because the panel has made the list narrower.
    this.draw(true);
    this.drawn.get(this.current)?.scrollIntoView({ block: "nearest" });
  }

  /** Lets the arrow key of a search field lead to its results. */
  follow(input) {
    input.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" || !this.count || !this.element.checkVisibility()) return;
      event.preventDefault();
      this.element.focus();
      this.select(Math.max(0, this.current));
    });
  }

  pressed(event) {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.options.rowHeight()) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    if (event.key in steps) this.select(this.current < 0 ? 0 : this.current + steps[event.key]);
    else if (event.key === "Home") this.select(0);
    else if (event.key === "End") this.select(this.count - 1);
    else if ((event.key === "Enter" || event.key === " ") && this.current >= 0) this.options.open?.(this.current);
    else if (!(this.current >= 0 && this.options.key?.(event, this.current))) return;
    event.preventDefault();
  }
}

/** A list with a panel beside it, or over it on a narrow screen, that shows the opened item. */
class Pair {
  constructor(list, label) {
    this.list = list;
    this.panel = make("section", { class: "card detail", role: "complementary", "aria-label": label, hidden: true });
    this.element = make("div", { class: "pair" }, list, this.panel);
    this.covers = false;
    this.panel.addEventListener("keydown", (event) => { if (event.key === "Tab") this.keepFocus(event); });
    addEventListener("resize", () => this.cover());
    addEventListener("keydown", (event) => {
      // In a field, the key clears what was typed.
      const isTyped = event.target.matches?.("select, input") && event.target.value;
      if (event.key === "Escape" && !isTyped && this.panel.checkVisibility()) this.close();
    });
  }

  /** Makes a panel that covers the page a dialog, and the rest of the page inert, as long as it does. */
  cover() {
    const covers = this.panel.checkVisibility() && getComputedStyle(this.panel).position === "fixed";
    if (covers === this.covers) return;
    this.covers = covers;
    this.panel.role = covers ? "dialog" : "complementary";
    this.panel.ariaModal = covers ? "true" : null;
    for (let part = this.panel; part !== document.body; part = part.parentElement) {
      for (const other of part.parentElement.children) {
        if (other !== part && other.id !== "announcement") other.inert = covers;
      }
    }
  }

  /** Keeps the focus in a panel that covers the page. */
  keepFocus(event) {
    if (!this.covers) return;
    const controls = [...this.panel.querySelectorAll("a[href], button, summary, [tabindex='0']")].filter((control) => control.checkVisibility());
    const isLast = event.shiftKey ? !controls.includes(document.activeElement) || document.activeElement === controls[0] : document.activeElement === controls.at(-1);
    if (!isLast) return;
    event.preventDefault();
    controls.at(event.shiftKey ? -1 : 0).focus();
  }

  open(title, sections, returnTo, isFocused = true) {
    const heading = make("h3", { tabindex: -1 }, title);
    this.returnTo = returnTo;
    this.panel.replaceChildren(
      make("div", { class: "title" }, heading, make("button", { type: "button", onclick: () => this.close() }, "Close")), ...sections);
    this.panel.hidden = false;
    this.panel.scrollTop = 0;
    this.element.classList.add("open");
    this.cover();
    if (isFocused) heading.focus();
  }

  hide() {
    this.panel.hidden = true;
    this.element.classList.remove("open");
    this.cover();
  }

  close() {
    this.hide();
    this.returnTo?.focus();
  }
}

/** Returns a section of the panel. */
function section(title, ...content) {
  return make("section", {}, make("h4", {}, title), ...content);
}
