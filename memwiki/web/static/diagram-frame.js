/** Within a frame that can reach nothing: draws what the page sends, and sends back the picture. */
(() => {
  const mermaid = /** @type {any} */ (window).mermaid;
  const SAFE = { startOnLoad: false, securityLevel: "strict", htmlLabels: false, flowchart: { htmlLabels: false } };
  let last = Promise.resolve(); // one after the other: it draws into one document

  /** @param {{ id: number, text: string, theme: string }} asked */
  async function draw({ id, text, theme }) {
    try {
      mermaid.initialize({ ...SAFE, theme });
      const { svg } = await mermaid.render(`diagram-${id}`, text);
      parent.postMessage({ id, svg }, "*");
    } catch (error) {
      parent.postMessage({ id, error: String(/** @type {any} */ (error)?.message ?? error) }, "*");
    }
  }

  addEventListener("message", (event) => {
    if (event.source === parent) last = last.then(() => draw(event.data));
  });
  parent.postMessage({ isReady: true }, "*");
})();
