// Builds every file of entries/ into one bundle of the same name in ../static/vendor/, with the
// licences of all that went in. `node build.mjs [FOLDER]` writes to another folder: a test does,
// and compares the bytes.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? join(here, "../static/vendor"));
const RULE = "-".repeat(72);

/** The names of the packages whose text is in a bundle, from the paths of what went in. */
function packagesOf(metafile) {
  const within = Object.keys(metafile.inputs).filter((path) => path.includes("node_modules/"));
  const parts = within.map((path) => path.split("node_modules/").at(-1).split("/"));
  return parts.map(([first, second]) => (first.startsWith("@") ? `${first}/${second}` : first));
}

/** One package with its version and the text of its licence. */
async function licenceOf(name) {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  if (!file) throw new Error(`${name}: no file with its licence; add one to build.mjs by hand`);
  const text = (await readFile(join(folder, file), "utf8")).replaceAll("\r", "").trim();
  return `${RULE}\n${name} ${version} (${license})\n${RULE}\n\n${text}\n`;
}

const entries = (await readdir(join(here, "entries"))).filter((name) => name.endsWith(".ts"));
const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: entries.sort().map((name) => `entries/${name}`),
  outdir: target,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none", // they are in LICENSES.txt, whole
  metafile: true,
});
const names = [...new Set(packagesOf(metafile))].sort();
const texts = await Promise.all(names.map(licenceOf));
const head = "The files of this folder are built from these packages (see web/vendor/README.md).\n";
await writeFile(join(target, "LICENSES.txt"), [head, ...texts].join("\n"));
