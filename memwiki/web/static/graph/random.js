/**
 * Numbers that look random and are the same each time, so that a picture is.
 * @param {number} seed
 */
export function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
