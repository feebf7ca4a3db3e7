/** Within a frame that can reach nothing: draws what the page sends, and sends back the picture. */
(() => {
  const mermaid = /** @type {any} */ (window).mermaid;
  const SAFE = { startOnLoad: false, securityLevel: "strict", htmlLabels: false, flowchart: { htmlLabels: false } };
  const MAX_MS = 10_000; // for one, so that the next ones are drawn all the same
  let last = Promise.resolve(); // one after the other: it draws into one document

  /** @returns {Promise<never>} */
  const late = () => new Promise((_, fail) => setTimeout(() => fail(new Error("it takes too long")), MAX_MS));

  /** @param {{ id: number, text: string, theme: string }} asked */
  async function draw({ id, text, theme }) {
    try {
      if (!mermaid?.render) throw new Error("the file that is named is not mermaid.min.js");
      mermaid.initialize({ ...SAFE, theme });
      const { svg } = await Promise.race([mermaid.render(`diagram-${id}`, text), late()]);
      parent.postMessage({ id, svg: svg.replaceAll("&nbsp;", "&#160;") }, "*"); // XML knows no other name
    } catch (error) {
      parent.postMessage({ id, error: String(/** @type {any} */ (error)?.message ?? error) }, "*");
    }
  }

  addEventListener("message", (event) => {
    if (event.source === parent) last = last.then(() => draw(event.data));
  });
  parent.postMessage({ isReady: true }, "*");
})();
