/**
 * The map as a picture: pages and the links within groups by WebGL, below them the discs of the
 * groups and how strongly they are linked, above them names.
 */
import { UndirectedGraph } from "../vendor/groups.js";
import { Sigma } from "../vendor/sigma.js";
import { clear, contextOf } from "./canvas.js";
import { mixed, themeNow } from "./colours.js";
import { Labels } from "./labels.js";

const MAX_BUNDLES = 220; // lines between groups, the strongest
const MIN_UNIT = 5; // pixels that a page's place takes, from which pages have names
const MAX_CANDIDATES = 500;

export class Picture {
  /** @type {import("./data.js").MapData} */ data;
  /** @type {import("./data.js").Shown} */ shown;
  /** @type {import("./layout.js").Layout} */ layout;
  /** @type {{around: number[][], bundles: {source: number, target: number, count: number}[]}} */ links;
  /** @type {Int8Array} */ series;
  /** @type {number[]} by rank */ order = [];
  /** @type {Set<number>} that `near` is linked with */ nearPages = new Set();

  /**
   * @param {HTMLElement} box holds `.under`, `.pages` and `.names`
   * @param {{choose: (page: number) => void, open: (page: number) => void}} on page -1 is none
   */
  constructor(box, on) {
    this.box = box;
    this.under = contextOf(box, ".under");
    this.names = contextOf(box, ".names");
    this.labels = new Labels(this.names);
    this.graph = new UndirectedGraph();
    this.theme = themeNow();
    /** @type {string[]} by series, from -1 on */
    this.faintColours = [];
    this.hovered = -1;
    this.chosen = -1;
    /** @type {Set<number>} */
    this.found = new Set();
    this.sigma = new Sigma(this.graph, /** @type {HTMLElement} */ (box.querySelector(".pages")), {
      renderLabels: false,
      labelRenderedSizeThreshold: Infinity,
      defaultDrawNodeHover: () => {},
      minEdgeThickness: 0.6,
      hideEdgesOnMove: false,
      minCameraRatio: 0.01,
      maxCameraRatio: 2,
      stagePadding: 24,
      zIndex: true,
      nodeReducer: (page, shape) => this.reduced(Number(page), shape),
    });
    this.sigma.on("afterRender", () => this.drawOver());
    this.sigma.on("enterNode", ({ node }) => this.hover(Number(node)));
    this.sigma.on("leaveNode", () => this.hover(-1));
    this.sigma.on("clickNode", ({ node }) => on.choose(Number(node)));
    this.sigma.on("doubleClickNode", ({ node, event }) => {
      event.preventSigmaDefault();
      on.open(Number(node));
    });
    this.sigma.on("clickStage", () => on.choose(-1));
  }

  /**
   * @param {import("./data.js").MapData} data
   * @param {import("./data.js").Shown} shown
   * @param {import("./layout.js").Layout} layout
   * @param {{around: number[][], bundles: {source: number, target: number, count: number}[]}} links
   * @param {Int8Array} series
   */
  show(data, shown, layout, links, series) {
    Object.assign(this, { data, shown, layout, links, series });
    this.hovered = this.chosen = -1;
    this.near = -1;
    this.found = new Set();
    this.order = shown.pages.map((_, at) => at).sort((a, b) => this.rank(b) - this.rank(a));
    // A graph that sigma knows already would tell it of each page by itself.
    this.graph = new UndirectedGraph();
    const box = boxOf(layout.discs);
    const sizes = this.sizes(box);
    const discOf = discsOf(layout, shown.pages.length);
    for (let page = 0; page < shown.pages.length; page++)
      this.graph.addNode(page, { x: layout.x[page], y: layout.y[page], size: sizes[page], color: this.colour(page) });
    for (const [a, b] of shown.links)
      if (discOf[a] === discOf[b]) this.graph.addEdge(a, b, { size: 1, color: this.faint(a) });
    this.sigma.setCustomBBox(box);
    this.sigma.setGraph(this.graph);
    this.sigma.getCamera().setState({ x: 0.5, y: 0.5, ratio: 1, angle: 0 });
  }

  /** Colour it anew: by something else, or in another theme. */
  paint(series = this.series) {
    this.series = series;
    this.theme = themeNow();
    this.faintColours = [];
    if (!this.shown) return;
    this.graph.updateEachNodeAttributes((page, shape) => ({ ...shape, color: this.colour(Number(page)) }));
    // Told that types change, sigma takes the links in anew: else it fails on those not drawn yet.
    const hints = { attributes: ["color", "type"] };
    this.graph.updateEachEdgeAttributes((_, shape, from) => ({ ...shape, color: this.faint(Number(from)) }), hints);
    this.sigma.refresh();
  }

  /** @param {number[]} pages that were found; the others go into the background */
  mark(pages) {
    if (!pages.length && !this.found.size) return; // without a graphics card a large map takes seconds to be drawn
    this.found = new Set(pages);
    this.sigma.refresh({ skipIndexation: true });
  }

  /** @param {number} page -1 for none */
  choose(page) {
    if (page === this.chosen) return;
    this.chosen = page;
    this.sigma.refresh({ skipIndexation: true });
  }

  /** Bring a page, or a whole disc, into the middle. */
  go({ x, y, r = 6 }) {
    const width = this.sigma.getDimensions().width;
    const middle = this.sigma.viewportToFramedGraph(this.sigma.graphToViewport({ x, y }));
    const ratio = this.sigma.getCamera().ratio * Math.min(1, (r * 2.6 * this.unit()) / width);
    const state = { ...middle, ratio: Math.max(ratio, 0.02) };
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.sigma.getCamera().animate(state, { duration: isStill ? 0 : 300 });
  }

  hover(page) {
    this.hovered = page;
    this.box.classList.toggle("pointing", page >= 0);
    this.sigma.refresh({ skipIndexation: true });
  }

  rank(page) {
    return this.data.ranks[this.shown.pages[page]];
  }

  /** By rank, and so that the least stand apart. */
  sizes(box) {
    const { width, height } = this.sigma.getDimensions();
    const unit = Math.min(width / (box.x[1] - box.x[0]), height / (box.y[1] - box.y[0]));
    const least = Math.min(Math.max(unit * 0.3, 0.9), 4);
    const most = Math.min(Math.max(unit * 0.95, 4), 13);
    const top = Math.sqrt(this.rank(this.order[0]) || 1);
    return this.shown.pages.map((_, page) => least + (most - least) * (Math.sqrt(this.rank(page)) / top) ** 1.5);
  }

  colour(page) {
    const at = this.series[page];
    return at < 0 ? this.theme.soft : this.theme.series[at];
  }

  /** The colour of the links within a group. */
  faint(page) {
    const at = this.series[page] + 1;
    this.faintColours[at] ??= mixed(this.colour(page), this.theme.paper, 0.4);
    return this.faintColours[at];
  }

  /** How a page is drawn while another one is looked at. */
  reduced(page, shape) {
    const middle = this.hovered >= 0 ? this.hovered : this.chosen;
    if (page === middle) return { ...shape, zIndex: 2, size: shape.size * 1.3 };
    const isNear = middle >= 0 ? this.isLinked(middle, page) : !this.found.size || this.found.has(page);
    if (isNear) return middle >= 0 || this.found.size ? { ...shape, zIndex: 1 } : shape;
    return { ...shape, color: mixed(shape.color, this.theme.paper, 0.3) };
  }

  isLinked(middle, page) {
    if (this.near !== middle) {
      this.near = middle;
      this.nearPages = new Set(this.links.around[middle]);
    }
    return this.nearPages.has(page);
  }

  /** Pixels of a unit of the layout. */
  unit() {
    const [a, b] = [this.sigma.graphToViewport({ x: 0, y: 0 }), this.sigma.graphToViewport({ x: 1, y: 0 })];
    return Math.hypot(b.x - a.x, b.y - a.y);
  }

  drawOver() {
    if (!this.shown) return;
    const { width, height } = this.sigma.getDimensions();
    for (const context of [this.under, this.names]) clear(context, width, height);
    const unit = this.unit();
    const discs = this.layout.discs.map((disc) => ({ ...disc, ...this.sigma.graphToViewport(disc), r: disc.r * unit }));
    this.drawDiscs(discs);
    this.drawBundles(discs);
    const middle = this.hovered >= 0 ? this.hovered : this.chosen;
    if (middle >= 0) this.drawLinks(middle);
    this.labels.draw(this.labelsOf(discs, unit, width, height), this.theme, width, height);
  }

  drawDiscs(discs) {
    const { under, theme } = this;
    for (const { group, x, y, r, level } of discs) {
      const colour = this.colour(group.pages[0]);
      under.beginPath();
      under.arc(x, y, r, 0, 2 * Math.PI);
      under.fillStyle = mixed(colour, theme.paper, level ? 0.09 : 0.05);
      under.fill();
      if (level) continue;
      under.strokeStyle = mixed(colour, theme.paper, 0.35);
      under.lineWidth = 1;
      under.stroke();
    }
  }

  /** Lines from the edge of a group to that of another, as wide as there are links. */
  drawBundles(discs) {
    const bundles = this.links.bundles.slice(0, MAX_BUNDLES);
    const top = Math.sqrt(bundles[0]?.count ?? 1);
    this.under.strokeStyle = mixed(this.theme.soft, this.theme.paper, 0.35);
    for (const { source, target, count } of bundles) {
      const [a, b] = [discs[source], discs[target]];
      const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
      if (length <= a.r + b.r) continue;
      const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
      this.under.globalAlpha = 0.15 + 0.6 * (Math.sqrt(count) / top);
      this.under.lineWidth = 0.6 + 5 * (Math.sqrt(count) / top);
      this.under.beginPath();
      this.under.moveTo(a.x + dx * a.r, a.y + dy * a.r);
      this.under.lineTo(b.x - dx * b.r, b.y - dy * b.r);
      this.under.stroke();
    }
    this.under.globalAlpha = 1;
  }

  drawLinks(middle) {
    const at = (page) => this.sigma.graphToViewport({ x: this.layout.x[page], y: this.layout.y[page] });
    const from = at(middle);
    this.under.strokeStyle = this.theme.accent;
    this.under.globalAlpha = 0.55;
    this.under.lineWidth = 1.2;
    this.under.beginPath();
    for (const other of this.links.around[middle]) {
      const to = at(other);
      this.under.moveTo(from.x, from.y);
      this.under.lineTo(to.x, to.y);
    }
    this.under.stroke();
    this.under.globalAlpha = 1;
  }

  /** What is named, the most important first. */
  *labelsOf(discs, unit, width, height) {
    const middle = this.hovered >= 0 ? this.hovered : this.chosen;
    if (middle >= 0) yield { ...this.pageLabel(middle, 13), bold: true, must: true, width: 360 };
    for (const page of this.order.filter((each) => this.found.has(each)).slice(0, 20)) yield this.pageLabel(page, 12);
    if (middle >= 0)
      for (const page of this.order.filter((each) => this.isLinked(middle, each)).slice(0, 12)) yield this.pageLabel(page, 12);
    yield* this.discLabels(discs);
    if (unit < MIN_UNIT) return;
    let left = MAX_CANDIDATES;
    for (const page of this.order) {
      const label = this.pageLabel(page, 11);
      if (label.x < 0 || label.y < 0 || label.x > width || label.y > height) continue;
      yield { ...label, soft: true };
      if (!(left -= 1)) break;
    }
  }

  *discLabels(discs) {
    for (const { group, x, y, r, level } of discs) {
      if (r < (level ? 34 : 12) || (level === 0 && group.parts.length && r > 700)) continue;
      const size = level ? 11 : Math.min(Math.max(r / 7, 11), 15);
      const tops = level ? [y, y - r * 0.5, y + r * 0.5] : [y - r + size, y - r - size, y + r + size, y];
      const wide = Math.max(1.9 * r, level ? 70 : 150);
      yield { text: group.name, x, tops, size, bold: !level, soft: !!level, width: wide };
    }
  }

  pageLabel(page, size) {
    const { x, y } = this.sigma.graphToViewport({ x: this.layout.x[page], y: this.layout.y[page] });
    const shape = this.sigma.getNodeDisplayData(page);
    const away = this.sigma.scaleSize(shape?.size ?? 3) + size * 0.75;
    return { text: this.data.titles[this.shown.pages[page]], x, y, tops: [y + away, y - away], size };
  }
}

/** The disc that each page stands in by itself. */
function discsOf({ discs }, size) {
  const found = new Int32Array(size).fill(-1);
  discs.forEach(({ group }, at) => {
    if (!group.parts.length) for (const page of group.pages) found[page] = at;
  });
  return found;
}

/** @returns {{x: [number, number], y: [number, number]}} */
function boxOf(discs) {
  /** @param {"x" | "y"} way @returns {[number, number]} */
  const edge = (way) => [Math.min(...discs.map((d) => d[way] - d.r)), Math.max(...discs.map((d) => d[way] + d.r))];
  return discs.length
    ? { x: edge("x"), y: edge("y") }
    : { x: [0, 1], y: [0, 1] };
}
