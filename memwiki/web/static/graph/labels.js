/** Names on the map: the most important first, none over another. */

const MAX_LABELS = 160;
const PADDING = 3;
const CELL = 64;

/**
 * @typedef {object} Label
 * @property {string} text
 * @property {number} x of its middle, in pixels
 * @property {number[]} tops where its middle may be, the best first
 * @property {number} size of its letters
 * @property {boolean} [bold]
 * @property {boolean} [soft]
 * @property {boolean} [must] whether it is drawn whatever it covers
 * @property {number} [width] that it may take
 */

/** Draws labels, and knows how wide each text is. */
export class Labels {
  /** @param {CanvasRenderingContext2D} context */
  constructor(context) {
    this.context = context;
    /** @type {Map<string, number>} */
    this.widths = new Map();
  }

  /**
   * @param {Iterable<Label>} labels the most important first
   * @param {import("./colours.js").Theme} theme
   * @param {number} width of the picture
   * @param {number} height
   */
  draw(labels, theme, width, height) {
    const { context } = this;
    const taken = new Taken();
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    let count = 0;
    for (const label of labels) {
      if (count >= MAX_LABELS) break;
      context.font = `${label.bold ? 600 : 400} ${label.size}px ${theme.font}`;
      const text = this.cut(label.text, label.width ?? 220);
      const half = this.widthOf(text) / 2 + PADDING;
      const high = label.size * 0.62 + 1;
      if (!label.must && (label.x < 0 || label.x > width)) continue;
      const x = Math.min(Math.max(label.x, half), width - half);
      const y = label.tops.find((top) => {
        const isIn = top > high && top < height - high;
        return label.must || (isIn && taken.isFree([x - half, top - high, x + half, top + high]));
      });
      if (y === undefined) continue;
      taken.take([x - half, y - high, x + half, y + high]);
      context.strokeStyle = theme.paper;
      context.lineWidth = 4;
      context.globalAlpha = 0.85;
      context.strokeText(text, x, y);
      context.globalAlpha = 1;
      context.fillStyle = label.soft ? theme.soft : theme.ink;
      context.fillText(text, x, y);
      count += 1;
    }
  }

  /** The text, or as much of it as fits. */
  cut(text, width) {
    if (this.widthOf(text) <= width) return text;
    let end = Math.floor((text.length * width) / this.widthOf(text));
    while (end > 1 && this.widthOf(`${text.slice(0, end)}…`) > width) end -= 1;
    return `${text.slice(0, end).trimEnd()}…`;
  }

  widthOf(text) {
    const key = `${this.context.font} ${text}`;
    let width = this.widths.get(key);
    if (width === undefined) {
      width = this.context.measureText(text).width;
      this.widths.set(key, width);
    }
    return width;
  }
}

/** Boxes that are taken, by the cells of a grid that they touch. */
export class Taken {
  constructor() {
    /** @type {Map<string, number[][]>} */
    this.cells = new Map();
  }

  *keysOf([left, top, right, bottom]) {
    for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x++)
      for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y++) yield `${x} ${y}`;
  }

  isFree(box) {
    for (const key of this.keysOf(box))
      for (const other of this.cells.get(key) ?? [])
        if (box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]) return false;
    return true;
  }

  take(box) {
    for (const key of this.keysOf(box)) {
      if (!this.cells.has(key)) this.cells.set(key, []);
      this.cells.get(key)?.push(box);
    }
  }
}
