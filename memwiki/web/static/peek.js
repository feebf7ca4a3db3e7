/** Previews: the first lines of the page that a link means, beside the link. */

const PAUSE_MS = 350;
/** @type {(html: string) => any} */
let trusted = (html) => html;
/** @type {HTMLElement | null} */
let box = null;
let asked = 0;

/** Show previews of links that have a page. @param {(html: string) => any} trust */
export function previews(trust) {
  trusted = trust;
  let timer = 0;
  document.addEventListener("mouseover", (event) => {
    const link = linkOf(event.target);
    clearTimeout(timer);
    if (link) timer = setTimeout(() => showPreview(link), PAUSE_MS);
    else if (!box?.contains(/** @type {Node} */ (event.target))) timer = setTimeout(hidePreview, PAUSE_MS);
  });
  document.addEventListener("click", hidePreview);
}

/** @param {EventTarget | null} target @returns {HTMLAnchorElement | null} */
function linkOf(target) {
  const found = target instanceof Element ? target.closest("a[data-page]") : null;
  return found instanceof HTMLAnchorElement && !found.closest(".peek") ? found : null;
}

/** Show what a link means. @param {HTMLElement | null} element */
export async function showPreview(element) {
  const link = linkOf(element);
  if (!link) return;
  const number = ++asked;
  const { page = "", section = "" } = link.dataset;
  const query = new URLSearchParams({ path: page, section });
  const answer = await fetch(`/api/peek?${query}`);
  if (!answer.ok || number !== asked) return;
  const html = await answer.text();
  hidePreview();
  box = document.createElement("div");
  box.className = "peek";
  box.setAttribute("role", "tooltip");
  box.innerHTML = trusted(html);
  document.body.append(box);
  place(box, link.getBoundingClientRect());
}

/** Take the preview away. */
export function hidePreview() {
  asked += 1;
  box?.remove();
  box = null;
}

/** @param {HTMLElement} shown @param {DOMRect} around */
function place(shown, around) {
  const own = shown.getBoundingClientRect();
  const left = Math.max(8, Math.min(around.left, innerWidth - own.width - 8));
  const below = around.bottom + own.height + 12 < innerHeight;
  const top = below || around.top < own.height ? around.bottom + 6 : around.top - own.height - 6;
  // Set by script, which the policy on styles allows; an attribute in the page it would not.
  shown.style.left = `${left + scrollX}px`;
  shown.style.top = `${top + scrollY}px`;
}
