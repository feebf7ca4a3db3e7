/** What is drawn beside WebGL: canvases of two dimensions. */

export function contextOf(box, name) {
  const canvas = /** @type {HTMLCanvasElement} */ (box.querySelector(name));
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}

/** Empty a canvas, as sharp as the screen is. */
export function clear(context, width, height) {
  const scale = devicePixelRatio || 1;
  const { canvas } = context;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
}
