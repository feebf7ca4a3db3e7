// What static/graph*.js use: one bundle, loaded on the pages with a graph.
export { default as Sigma } from "sigma";
export { DirectedGraph, UndirectedGraph } from "graphology";
export { default as louvain } from "graphology-communities-louvain";
export { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";
export { packSiblings, packEnclose } from "d3-hierarchy";
