/** Search as one types: names below the box, and on the search page the results. */

/** @typedef {{name: string, kind: string, path: string}} Suggestion */

const PAUSE_MS = 90;

/** Make the search box suggest, and on the search page find. @param {(html: string) => any} trusted */
export function suggestions(trusted) {
  const box = /** @type {HTMLInputElement | null} */ (document.getElementById("q"));
  const list = document.getElementById("suggestions");
  if (!box || !list) return;
  let asked = 0;
  let timer = 0;
  let chosen = -1;

  const close = () => {
    list.hidden = true;
    chosen = -1;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  };

  /** @param {Suggestion[]} found */
  const show = (found) => {
    list.replaceChildren(...found.map(item));
    chosen = -1;
    list.hidden = !found.length;
    box.setAttribute("aria-expanded", String(found.length > 0));
  };

  const ask = async () => {
    const text = box.value.trim();
    const number = ++asked;
    if (text.length < 1) return close();
    const answer = await fetch(`/api/suggest?q=${encodeURIComponent(text)}`);
    if (number === asked && answer.ok && document.activeElement === box) show((await answer.json()).suggestions);
  };

  const results = document.getElementById("results");

  /** On the search page the hits themselves follow what is typed. */
  const find = async () => {
    const text = box.value.trim();
    const number = ++asked;
    const answer = await fetch(`/search?part&q=${encodeURIComponent(text)}`);
    if (number !== asked || !answer.ok || !results) return;
    results.innerHTML = trusted(await answer.text());
    history.replaceState(null, "", `/search?q=${encodeURIComponent(text)}`);
  };

  /** @param {number} step */
  const choose = (step) => {
    const items = [...list.children];
    if (list.hidden || !items.length) return;
    items[chosen]?.setAttribute("aria-selected", "false");
    chosen = (chosen + step + items.length + (chosen < 0 && step < 0 ? 1 : 0)) % items.length;
    items[chosen].setAttribute("aria-selected", "true");
    box.setAttribute("aria-activedescendant", items[chosen].id);
  };

  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void (results ? find() : ask()), PAUSE_MS);
  });
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return; // what writes Chinese uses these keys by itself
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      choose(event.key === "ArrowDown" ? 1 : -1);
      event.preventDefault();
    } else if (event.key === "Escape") {
      close();
      box.blur();
    } else if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      /** @type {HTMLElement} */ (list.children[chosen]).click();
    }
  });
  box.addEventListener("blur", () => setTimeout(close, 150));
}

/** @param {Suggestion} each @param {number} number @returns {HTMLLIElement} */
function item(each, number) {
  const line = document.createElement("li");
  line.id = `suggestion-${number}`;
  line.setAttribute("role", "option");
  line.setAttribute("aria-selected", "false");
  const kind = document.createElement("span");
  kind.className = "soft";
  kind.textContent = each.kind;
  line.append(each.name, kind);
  line.addEventListener("mousedown", (event) => event.preventDefault());
  line.addEventListener("click", () => location.assign(addressOf(each)));
  return line;
}

/** @param {Suggestion} each @returns {string} */
function addressOf(each) {
  if (each.kind === "tag") return `/search?q=${encodeURIComponent(`tag:${each.name}`)}`;
  if (!each.path) return `/search?q=${encodeURIComponent(each.name)}`;
  return `/p/${each.path.split("/").map(encodeURIComponent).join("/")}`;
}
