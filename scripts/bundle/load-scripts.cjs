/**
 * Loads the joined scripts of this folder, each once in a thread, with the code that V8 had compiled of them when they were joined.
 *
 * Compiling what a start needs takes longer than all else that it does. Compiled code is only taken by the very Node.js that made it, and V8
 * refuses it under other flags; then the text is compiled, as ever. Nothing is written.
 *
 * A script itself, so that those who `import` and those who `require` have the same modules.
 */
// Said before anything is loaded that an older Node.js cannot read.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  throw new Error(`shoal needs Node.js 20.19 or newer, and this is ${process.versions.node}`);

const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const vm = require('node:vm');

const folder = __dirname;

/** What compiled code depends on beside flags and the text, which V8 looks at itself. */
const engine = [
  process.version,
  process.platform,
  process.arch,
  ...(process.config.variables.v8_enable_pointer_compression ? ['compressed'] : []),
];

/** Folder of the compiled code of this Node.js, which may not be there. Names of scripts have a hash of their text, so that both belong together. */
const compiledFolder = join(folder, 'compiled', engine.join('-'));

/** Scripts that were compiled in this thread, by their file names. */
const scripts = new Map();

/** Imports from outside, and so is loaded as any other script. */
const IMPORT = './import-outside.cjs';

/** Modules by file name: circles of them see what there is so far, as with `require`. */
const modules = new Map();

// Where a test runner keeps its tests in a realm of their own, `vm` leads out of it, and `require` does not.
const takesCompiled = vm.runInThisContext('Object') === Object && existsSync(compiledFolder);

/**
 * @param {string} name file name of a script in this folder
 * @returns what it exports
 */
const load = takesCompiled ? loadCompiled : (/** @type {string} */ name) => require(`./${name}`);

/** @param {string} name */
function compile(name) {
  const file = join(folder, name);
  const kept = join(compiledFolder, name);
  // Text of scripts is ASCII, which one byte a character is enough for.
  const source = readFileSync(file, 'latin1');
  const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: file,
    ...(existsSync(kept) ? { cachedData: readFileSync(kept) } : {}),
  });
  scripts.set(name, script);
  return script;
}

function loadCompiled(name) {
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  try {
    const run = compile(name).runInThisContext();
    run.call(module.exports, module.exports, requireFrom, module, join(folder, name), folder);
  } catch (error) {
    modules.delete(name);
    throw error;
  }
  return module.exports;
}

function requireFrom(specifier) {
  return specifier.startsWith('./') && specifier !== IMPORT ? loadCompiled(specifier.slice(2)) : require(specifier);
}
requireFrom.resolve = require.resolve;

module.exports = { compiledFolder, scripts, load, compile };
