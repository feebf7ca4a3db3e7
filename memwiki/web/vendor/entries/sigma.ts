// What draws the map of all pages: static/graph/picture.js.
export { default as Sigma } from "sigma";
