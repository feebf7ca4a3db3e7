/** The way in: the key leaves the address before anything else is done with it. */

/** @param {string} key @returns {Promise<boolean>} */
async function enter(key) {
  const answer = await fetch("/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key }),
  });
  return answer.ok;
}

/** @param {string} key */
async function open(key) {
  const why = document.getElementById("why");
  if (await enter(key)) location.replace(location.pathname + location.search);
  else if (why) why.textContent = "This opens nothing here: the server was restarted, or a link was used twice. Take the address that memwiki web printed.";
}

/** Take the key out of the address, and use it. */
function take() {
  const given = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!given) return;
  history.replaceState(null, "", location.pathname + location.search);
  void open(given);
}

take();
addEventListener("hashchange", take); // pasted into the tab that asked for it, the address loads nothing
document.getElementById("enter")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const field = /** @type {HTMLInputElement} */ (document.getElementById("key"));
  void open(field.value.trim());
});
