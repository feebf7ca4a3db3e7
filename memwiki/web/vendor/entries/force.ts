// What places pages beside those that they link to; needs no browser, and is all that the graph
// around one page needs.
export { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";
