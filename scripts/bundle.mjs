#!/usr/bin/env node
/**
 * Joins the compiled files of all packages into a few, which is what `shoal` runs: a start reads a dozen files instead of a
 * thousand. Libraries stay as they are installed.
 *
 * The joined files are scripts, as V8 takes compiled code with a script and not with a module (see `bundle/load-scripts.cjs`); what is imported
 * from outside is a module that loads its script.
 *
 * All of them stand in one folder, as deep as the files that find others by their own place: workers beside them, and the
 * command, sample and pipelines two folders up.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';

const packages = fileURLToPath(new URL('../packages', import.meta.url));
const bundleFolder = join(packages, 'cli/dist/bundle');

/** What is run or loaded by its name. */
export const ENTRIES = {
  main: 'cli/dist/main.js',
  'run-node': 'cli/dist/node/run-node.js',
  'run-up': 'cli/dist/up/run-up.js',
  'run-agent': 'cli/dist/agent/run-agent.js',
  'start-first-thread': 'cli/dist/agent/start-first-thread.js',
  'run-one-event': 'cli/dist/agent/run-one-event.js',
  'run-test-node': 'cli/dist/test-node/run-test-node.js',
  'worker-bootstrap': 'runtime/dist/node/worker-bootstrap.js',
  'shard-worker': 'shards/dist/worker/shard-worker.js',
  testing: 'testing/dist/index.js',
  'pipeline-thread': 'pipeline-agent/dist/workers/pipeline-thread.js',
};

/** Libraries that are modules and no scripts: not every Node.js from 20.19 on lets a script load them. */
const MODULES_ALONE = /^(?:oniguruma-(?:to-es|parser)|regex(?:-recursion|-utilities)?|emoji-regex-xs)(?:\/|$)/;

const PLUGIN_MODULE = /\/(agent-plugins)\/dist\/(\w+)\/([\w-]+)\//;

/** Chunks of plugins keep kind and name, by which the hot threads of an agent find the plugin of a function. */
function chunkFileNames({ facadeModuleId }) {
  const [, ...names] = PLUGIN_MODULE.exec(facadeModuleId ?? '') ?? [];
  return `${[...names, names.length > 0 ? '[hash]' : '[name]-[hash]'].join('.')}.cjs`;
}

/**
 * Code without a character beyond ASCII: V8 keeps a source in which one stands with two bytes for each of its characters, in every thread.
 */
function toAscii(chunk) {
  const fixed = /String\.raw`[^`]*[^\0-\x7f]|(?<!\\)(?:\\\\)*\\[^\0-\x7f]/.exec(chunk.code);
  if (fixed !== null) throw new Error(`a character cannot be escaped here: ${fixed[0]}`);
  chunk.code = chunk.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function toScript(chunk) {
  toAscii(chunk);
  redirectImports(chunk);
}

/**
 * Scripts that V8 takes in compiled have no `import()` in every thread of every Node.js. Theirs is that of a script which is loaded as any other.
 */
function redirectImports(chunk) {
  if (!/\bimport\b\s*\(/.test(chunk.code)) return;
  const { program, errors } = parseSync(chunk.fileName, chunk.code, { sourceType: 'script' });
  if (errors.length > 0) throw new Error(`${chunk.fileName}: ${errors[0].message}`);
  const starts = [];
  new Visitor({ ImportExpression: ({ start }) => void starts.push(start) }).visit(program);
  for (const start of starts.sort((one, other) => other - one))
    chunk.code = `${chunk.code.slice(0, start)}require('./import-outside.cjs')${chunk.code.slice(start + 'import'.length)}`;
}

function loaderOf({ name }) {
  return `${'../'.repeat(name.split('/').length - 1) || './'}load-scripts.cjs`;
}

/** A module that loads its script, for those who import it by name. */
function entryModule(chunk) {
  const { fileName, exports } = chunk;
  const names = exports.length === 0 ? '' : `export const { ${exports.join(', ')} } = `;
  return `import { load } from '${loaderOf(chunk)}';\n${names}load('${fileName}');\n`;
}

/** The same for those who require it. */
function entryScript(chunk) {
  return `module.exports = require('${loaderOf(chunk)}').load('${chunk.fileName}');\n`;
}

/** Scripts that a start of an entry loads, whatever it is to do: what is imported when it is needed is not among them. */
function loadedAtStart(chunks) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const names = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  for (const name of names)
    for (const imported of byName.get(name).imports) if (byName.has(imported)) names.add(imported);
  return [...names];
}

/** Keeps the compiled code of the Node.js that runs here. */
function keepCompiled(folder, names) {
  const script = fileURLToPath(new URL('bundle/keep-compiled.mjs', import.meta.url));
  const { status, signal } = spawnSync(process.execPath, [script, folder], {
    input: JSON.stringify(names),
    stdio: ['pipe', 2, 2],
  });
  if (status !== 0) throw new Error(`compiling the joined scripts ended with ${status ?? signal}`);
}

/**
 * @param {string} folder what was in it is removed
 * @param {Record<string, string>} entries file in `packages` by the name it gets
 * @param {(name: string) => boolean} isInlined libraries that are joined too, by their names
 * @param {(name: string) => boolean} isRequired entries that are required too, and not imported alone
 * @returns names of the libraries that stay outside, and the files that were joined
 */
export async function bundle(folder, entries, isInlined = () => false, isRequired = () => false) {
  rmSync(folder, { recursive: true, force: true });
  const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(packages, path)]));
  const joined = await rolldown({
    input,
    platform: 'node',
    external: (id) =>
      !id.startsWith('.') &&
      !id.startsWith('/') &&
      !id.startsWith('@shoal/') &&
      !MODULES_ALONE.test(id) &&
      !isInlined(id),
    // Nothing of ours happens because a module is loaded: a start takes in what it names, and no more of a package.
    treeshake: { moduleSideEffects: (id) => id.includes('/node_modules/') },
    logLevel: 'warn',
  });
  const { output } = await joined.write({
    dir: folder,
    format: 'cjs',
    // In one folder, so that scripts find each other by their names alone.
    entryFileNames: ({ name }) => `${name.replaceAll('/', '.')}-[hash].cjs`,
    chunkFileNames,
    comments: false,
    plugins: [{ name: 'scripts', generateBundle: (_, bundled) => Object.values(bundled).forEach(toScript) }],
  });
  await joined.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  for (const name of ['load-scripts.cjs', 'import-outside.cjs'])
    copyFileSync(new URL(`bundle/${name}`, import.meta.url), join(folder, name));
  for (const chunk of chunks.filter(({ isEntry }) => isEntry)) {
    const file = join(folder, chunk.name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.js`, entryModule(chunk));
    if (isRequired(chunk.name)) writeFileSync(`${file}.cjs`, entryScript(chunk));
  }
  keepCompiled(folder, loadedAtStart(chunks));
  const names = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
  return {
    outside: new Set(names.filter((name) => !name.endsWith('.cjs') && !isBuiltin(name))),
    files: chunks.flatMap((chunk) => chunk.moduleIds),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(bundleFolder, ENTRIES);
