/** The map as a list: groups with their pages, for who sees no picture; filled as it is opened. */

const PORTION = 60;

/**
 * @param {HTMLElement} box
 * @param {import("./data.js").MapData} data
 * @param {import("./data.js").Shown} shown
 * @param {import("./groups.js").Group[]} groups
 * @param {(group: import("./groups.js").Group) => void} [look] shows a group in the picture
 */
export function listed(box, data, shown, groups, look) {
  const rows = groups.map((group) => {
    const details = /** @type {HTMLDetailsElement} */ (element("details"));
    const summary = element("summary", `${group.name} `);
    summary.append(element("span", counted(group.pages.length), "count"));
    details.append(summary);
    details.addEventListener("toggle", () => details.open && details.childElementCount === 1 && fill(details, group));
    return details;
  });
  box.replaceChildren(...rows);

  function fill(details, group) {
    if (look) details.append(button("Show on the map", () => look(group)));
    const list = element("ul", "", "list");
    details.append(list);
    more(details, list, group.pages, 0);
  }

  function more(details, list, pages, from) {
    for (const page of pages.slice(from, from + PORTION)) {
      const item = element("li");
      item.append(pageLink(data, shown.pages[page]), " ", element("span", links(shown.degrees[page]), "count"));
      list.append(item);
    }
    const rest = pages.length - from - PORTION;
    if (rest <= 0) return;
    const next = button(`${rest} more`, () => {
      next.remove();
      more(details, list, pages, from + PORTION);
    });
    details.append(next);
  }
}

/** A link to a page by its number in the whole map. */
export function pageLink(data, page) {
  const link = /** @type {HTMLAnchorElement} */ (element("a", data.titles[page]));
  link.href = addressOf(data.paths[page]);
  link.title = data.paths[page];
  return link;
}

/** @param {string} path */
export function addressOf(path) {
  return `/p/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** @param {number} count */
export function links(count) {
  return `${count.toLocaleString("en")} ${count === 1 ? "link" : "links"}`;
}

/** @param {number} count */
export function counted(count) {
  return `${count.toLocaleString("en")} ${count === 1 ? "page" : "pages"}`;
}

/** @returns {HTMLElement} */
export function element(name, text = "", kind = "") {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

export function button(text, act) {
  const made = /** @type {HTMLButtonElement} */ (element("button", text));
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}
