// What static/live.js uses: how an open page becomes the one that the server has now.
export { Idiomorph } from "idiomorph/dist/idiomorph.esm.js";
