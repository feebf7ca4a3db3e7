/** What the panel beside the map asks for, kept in the address. */
import { folderCounts } from "./data.js";

const MAX_CHOICES = 200;

export class Panel {
  /**
   * @param {HTMLFormElement} form
   * @param {import("./data.js").MapData} data
   */
  constructor(form, data) {
    this.form = form;
    choices(form.elements.namedItem("folder"), folderCounts(data.paths));
    choices(form.elements.namedItem("tag"), countsOf(data.tags, data.tag_names), "#");
    choices(form.elements.namedItem("type"), countsOf(data.types, data.type_names));
    this.read();
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  field(name) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name));
  }

  /** @returns {import("./data.js").Filters} */
  get filters() {
    return {
      folder: this.field("folder").value,
      tag: this.field("tag").value,
      type: this.field("type").value,
      hubs: Math.max(0, Number(this.field("hubs").value) || 0),
      plain: this.field("plain").checked,
      orphans: this.field("orphans").checked,
    };
  }

  get colour() {
    return this.field("colour").value;
  }

  /** Take what the address says. */
  read() {
    const asked = new URLSearchParams(location.search);
    for (const name of ["folder", "tag", "type", "hubs", "colour", "find"]) {
      const value = asked.get(name);
      if (value !== null) this.field(name).value = value;
    }
    if (asked.get("catalogs") === "yes") this.field("plain").checked = false;
    if (asked.get("orphans") === "yes") this.field("orphans").checked = true;
    for (const name of ["folder", "tag", "type"]) if (!this.field(name).value) this.field(name).value = ""; // one that is no choice
    if (!this.colour) this.field("colour").value = "group";
  }

  /** Put into the address what differs from what is asked for at first. */
  write() {
    const { folder, tag, type, hubs, plain, orphans } = this.filters;
    const asked = { folder, tag, type, hubs: hubs ? String(hubs) : "", catalogs: plain ? "" : "yes", orphans: orphans ? "yes" : "" };
    const given = Object.entries({ ...asked, colour: this.colour === "group" ? "" : this.colour });
    const text = new URLSearchParams(given.filter(([, value]) => value)).toString();
    history.replaceState(null, "", text ? `?${text}` : location.pathname);
  }
}

/** How often each of these names is meant, the most frequent first. */
function countsOf(numbers, names) {
  const counts = new Uint32Array(names.length);
  for (const number of numbers) counts[number] += 1;
  const found = names.map((name, at) => [name, counts[at]]);
  return new Map(found.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
}

function choices(select, counts, mark = "") {
  for (const [name, count] of [...counts].slice(0, MAX_CHOICES)) {
    const option = document.createElement("option");
    option.value = name;
    option.textContent = `${mark}${name} (${count.toLocaleString("en")})`;
    select.append(option);
  }
}
