/** The page with the map of all pages: reads it, lays it out as the panel asks, and shows it. */
import { colouring } from "./graph/colours.js";
import { degreesOf, found, shownOf } from "./graph/data.js";
import { groupsOf, neighboursOf } from "./graph/groups.js";
import { layoutOf, linksBetween } from "./graph/layout.js";
import { addressOf, counted, element, links, listed, pageLink } from "./graph/list.js";
import { Panel } from "./graph/panel.js";
import { Picture } from "./graph/picture.js";

const page = /** @type {HTMLElement} */ (document.getElementById("graph"));
const part = (name) => /** @type {HTMLElement} */ (page.querySelector(name));
const box = part(".map-box");
const status = part(".map-status");
const STEP = 0.08; // of the picture, that an arrow key moves it

class MapPage {
  /** @type {import("./graph/data.js").Shown} */ shown;
  /** @type {import("./graph/groups.js").Group[]} */ groups;
  /** @type {import("./graph/layout.js").Layout} */ layout;
  /** @type {number[]} that were found, as they are numbered in the picture */ hits = [];

  constructor(data) {
    this.data = data;
    this.degrees = degreesOf(data);
    this.panel = new Panel(/** @type {HTMLFormElement} */ (part("form")), data);
    this.picture = pictureIn(box, {
      choose: (each) => this.choose(each),
      open: (each) => location.assign(addressOf(this.path(each))),
    });
    this.runs = 0;
    this.panel.form.addEventListener("change", (event) => this.changed(/** @type {HTMLInputElement} */ (event.target).name));
    this.panel.field("find").addEventListener("input", () => this.find());
    this.panel.field("find").addEventListener("keydown", (event) => event.key === "Enter" && this.next(event.shiftKey ? -1 : 1));
    box.addEventListener("keydown", (event) => this.pressed(event));
    part(".map-zoom").addEventListener("click", (event) => this.zoom(/** @type {HTMLElement} */ (event.target).dataset.zoom));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.coloured());
  }

  path(each) {
    return this.data.paths[this.shown.pages[each]];
  }

  changed(name) {
    if (name === "find") return;
    this.panel.write();
    if (name === "colour") this.coloured();
    else this.draw();
  }

  /** Lay out what the panel asks for; a later call takes the place of one that is not done. */
  async draw() {
    const run = (this.runs += 1);
    page.dataset.state = "busy";
    status.textContent = "Laying out the pages …";
    await pause();
    const shown = shownOf(this.data, this.panel.filters, this.degrees);
    const groups = groupsOf(this.data, shown);
    const around = neighboursOf(shown);
    await pause();
    const layout = await layoutOf(groups, around, box.clientWidth / Math.max(box.clientHeight, 1), pause);
    if (run !== this.runs) return;
    const bundles = linksBetween(groups, around).sort((a, b) => b.count - a.count);
    Object.assign(this, { shown, groups, layout });
    const { series, legend } = colouring(this.panel.colour, this.data, shown, groups);
    this.picture?.show(this.data, shown, layout, { around, bundles }, series);
    this.legend(legend);
    this.choose(-1);
    listed(/** @type {HTMLElement} */ (document.getElementById("map-groups")), this.data, shown, groups, this.picture ? (group) => this.look(group) : undefined);
    this.say();
    this.find();
    page.dataset.state = "ready";
  }

  say() {
    const { shown, groups, data } = this;
    const all = shown.pages.length === data.paths.length ? "" : ` of ${data.paths.length.toLocaleString("en")}`;
    const count = groups.length === 1 ? "1 group" : `${groups.length} groups`;
    status.textContent = shown.pages.length
      ? `${counted(shown.pages.length)}${all}, ${links(shown.links.length)}, ${count}.`
      : `No page of ${data.paths.length.toLocaleString("en")} fits. Pages without links are shown when asked for.`;
    if (!this.picture) status.textContent += " This browser draws no WebGL: the list below holds the same.";
  }

  coloured() {
    const { series, legend } = colouring(this.panel.colour, this.data, this.shown, this.groups);
    this.picture?.paint(series);
    this.legend(legend);
  }

  legend(rows) {
    const items = rows.map(({ name, series, count }) => {
      const item = element("li", `${name || "(top)"} `, `series-${series + 1}`);
      item.append(element("span", count.toLocaleString("en"), "count"));
      return item;
    });
    part(".map-legend").replaceChildren(...items);
  }

  /** Mark what was typed, and say how much it is. */
  find() {
    const text = this.panel.field("find").value;
    const place = new Map(this.shown.pages.map((each, at) => [each, at]));
    this.hits = found(this.data, this.shown.pages, text).map((each) => place.get(each) ?? 0);
    this.at = -1;
    this.picture?.mark(this.hits);
    if (text.trim()) status.textContent = `${counted(this.hits.length)} found${this.hits.length ? "; Enter goes to the first" : ""}.`;
    else this.say();
  }

  next(step) {
    if (!this.hits.length) return;
    this.at = (this.at + step + this.hits.length) % this.hits.length;
    const hit = this.hits[this.at];
    this.choose(hit);
    this.picture?.go({ x: this.layout.x[hit], y: this.layout.y[hit] });
    status.textContent = `${this.at + 1} of ${this.hits.length}: ${this.path(hit)}`;
  }

  look(group) {
    const disc = this.layout.discs.find((each) => each.group === group);
    if (!disc) return;
    this.picture?.go(disc);
    box.focus();
    box.scrollIntoView({ block: "nearest" });
  }

  /** Show a page in the card; -1 for none. */
  choose(each) {
    this.picture?.choose(each);
    const card = part(".map-card");
    card.hidden = each < 0;
    if (each < 0) return;
    const number = this.shown.pages[each];
    const title = element("p", "", "map-card-title");
    title.append(pageLink(this.data, number));
    const around = /** @type {HTMLAnchorElement} */ (element("a", "What is around it"));
    around.href = `/graph?around=${encodeURIComponent(this.data.paths[number])}`;
    const facts = `${this.data.type_names[this.data.types[number]]}, ${links(this.shown.degrees[each])}`;
    card.replaceChildren(title, element("p", this.data.paths[number], "path"), element("p", facts, "count"), around);
  }

  pressed(event) {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const zooms = { "+": "in", "=": "in", "-": "out", 0: "all" };
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== box) return;
    if (event.key === "Escape") this.choose(-1);
    else if (zooms[event.key]) this.zoom(zooms[event.key]);
    else if (moves[event.key] && this.picture) {
      const camera = this.picture.sigma.getCamera();
      const [dx, dy] = moves[event.key].map((way) => way * STEP * camera.ratio);
      camera.setState({ x: camera.x + dx, y: camera.y + dy });
    } else return;
    event.preventDefault();
  }

  zoom(way) {
    const camera = this.picture?.sigma.getCamera();
    if (!camera || !way) return;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const options = { duration: isStill ? 0 : 200 };
    if (way === "in") camera.animatedZoom({ ...options, factor: 1.6 });
    else if (way === "out") camera.animatedUnzoom({ ...options, factor: 1.6 });
    else camera.animatedReset(options);
  }
}

/** The picture, or nothing where the browser cannot draw one. */
function pictureIn(where, on) {
  try {
    return new Picture(where, on);
  } catch {
    where.hidden = true;
    return null;
  }
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve));
}

/** The picture stands still while pages change: it says of when it is. The address holds what the panel asks. */
function sayOfWhen() {
  const note = part(".map-stale");
  const text = `This map is of ${new Date().toLocaleTimeString("en-GB", { timeStyle: "short" })}; pages changed since.`;
  part(".map-stale button").addEventListener("click", () => location.reload());
  document.addEventListener("memwiki:changed", () => {
    if (note.hidden) part(".map-stale span").textContent = text;
    note.hidden = false;
  });
}

async function start() {
  sayOfWhen();
  const answer = await fetch("/api/graph");
  if (!answer.ok) throw new Error((await answer.json()).error?.message ?? answer.statusText);
  await new MapPage(await answer.json()).draw();
}

start().catch((error) => {
  status.textContent = `The map cannot be shown: ${error.message}`;
  page.dataset.state = "failed";
});
