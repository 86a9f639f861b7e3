#!/usr/bin/env node
/**
 * Joins the compiled files of all packages into a few, which is what `shoal` runs: a start reads a dozen files instead of a
 * thousand. Libraries stay as they are installed.
 *
 * All of them stand in one folder, as deep as the files that find others by their own place: workers beside them, and the
 * command, sample and pipelines two folders up.
 */
import { rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const packages = fileURLToPath(new URL('../packages', import.meta.url));
const bundleFolder = join(packages, 'cli/dist/bundle');

/** What is run or loaded by its name. */
export const ENTRIES = {
  main: 'cli/dist/main.js',
  'run-node': 'cli/dist/node/run-node.js',
  'run-up': 'cli/dist/up/run-up.js',
  'run-agent': 'cli/dist/agent/run-agent.js',
  'run-test-node': 'cli/dist/test-node/run-test-node.js',
  'worker-bootstrap': 'runtime/dist/node/worker-bootstrap.js',
  'shard-worker': 'shards/dist/worker/shard-worker.js',
  'pipeline-thread': 'pipeline-agent/dist/workers/pipeline-thread.js',
};

const PLUGIN_MODULE = /\/(agent-plugins)\/dist\/(\w+)\/([\w-]+)\//;

/** Chunks of plugins keep kind and name, by which the hot threads of an agent find the plugin of a function. */
function chunkFileNames({ facadeModuleId }) {
  const [, ...names] = PLUGIN_MODULE.exec(facadeModuleId ?? '') ?? [];
  return `${[...names, names.length > 0 ? '[hash]' : '[name]-[hash]'].join('.')}.js`;
}

/**
 * Code without a character beyond ASCII: V8 keeps a source in which one stands with two bytes for each of its characters, in every thread.
 */
function toAscii(chunk) {
  const fixed = /String\.raw`[^`]*[^\0-\x7f]|(?<!\\)(?:\\\\)*\\[^\0-\x7f]/.exec(chunk.code);
  if (fixed !== null) throw new Error(`a character cannot be escaped here: ${fixed[0]}`);
  chunk.code = chunk.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * @param {string} folder what was in it is removed
 * @param {Record<string, string>} entries file in `packages` by the name it gets
 * @param {(name: string) => boolean} isInlined libraries that are joined too, by their names
 * @returns names of the libraries that stay outside, and the files that were joined
 */
export async function bundle(folder, entries, isInlined = () => false) {
  rmSync(folder, { recursive: true, force: true });
  const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(packages, path)]));
  const joined = await rolldown({
    input,
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@shoal/') && !isInlined(id),
    // Nothing of ours happens because a module is loaded: a start takes in what it names, and no more of a package.
    treeshake: { moduleSideEffects: (id) => id.includes('/node_modules/') },
    logLevel: 'warn',
  });
  const { output } = await joined.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames,
    comments: false,
    plugins: [{ name: 'ascii', generateBundle: (_, bundled) => Object.values(bundled).forEach(toAscii) }],
  });
  await joined.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const names = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
  return {
    outside: new Set(names.filter((name) => !name.endsWith('.js') && !isBuiltin(name))),
    files: chunks.flatMap((chunk) => chunk.moduleIds),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(bundleFolder, ENTRIES);
