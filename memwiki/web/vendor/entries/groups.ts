// What finds and packs the groups of a map; needs no browser.
export { DirectedGraph, UndirectedGraph } from "graphology";
export { default as louvain } from "graphology-communities-louvain";
export { packEnclose, packSiblings } from "d3-hierarchy";
