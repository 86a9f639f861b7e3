#!/usr/bin/env node
/**
 * Compiles kernels (packages/engine/kernels and packages/agent-event/kernels, AssemblyScript) into the modules that carry them
 * as text. Their output is committed, so that neither a start nor a test waits for the compiler; a test compares them.
 *
 *   node scripts/make-kernels.mjs [--check]
 *
 * Each file below such a folder whose name ends in `kernels.ts` is a module of its own, with what it imports. One whose sources did
 * not change is not compiled. With --check nothing is written: all are compiled in any case, and it exits with 1 when a
 * committed module is not that of its sources.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackSource } from './kernels/unpack-source.mjs';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));
/** Packages that have kernels. */
const OWNERS = ['engine', 'agent-event'];
const ENTRY = /kernels\.ts$/;
const IMPORTED = /from '(\.\.?\/[a-z0-9/-]+?)(?:\.ts)?'/g;
const FLAGS = [
  ['-O3', '--noAssert', '--runtime', 'stub', '--use', 'abort='],
  ['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'],
  ['--enable', 'simd', '--enable', 'threads', '--enable', 'bulk-memory'],
].flat();

function allSources(owner) {
  const folder = join(packages, owner, 'kernels');
  const sources = new Map([['shared/unpack.ts', unpackSource()]]);
  const names = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll('\\', '/'));
  for (const name of names.filter((path) => path.endsWith('.ts')).sort()) {
    sources.set(name, readFileSync(join(folder, name), 'utf8'));
  }
  return sources;
}

/** The modules: a file that is compiled, and all that it is made of. */
export function kernelModules() {
  return OWNERS.flatMap((owner) => {
    const all = allSources(owner);
    const entries = [...all.keys()].filter((name) => ENTRY.test(name));
    return entries.map((entry) => ({ owner, entry, sources: reached(all, entry) }));
  });
}

function reached(all, entry) {
  const names = new Set([entry]);
  for (const name of names) {
    for (const [, path] of all.get(name).matchAll(IMPORTED)) names.add(`${posix.join(posix.dirname(name), path)}.ts`);
  }
  return new Map([...names].sort().map((name) => [name, all.get(name)]));
}

/** Where a module's bytes are kept. */
function outputOf({ owner, entry }) {
  return join(packages, owner, 'src/kernels/generated', posix.basename(entry).replace(/s\.ts$/, '-bytes.ts'));
}

function hashOf(sources) {
  const hash = createHash('sha256').update(FLAGS.join(' '));
  for (const [name, text] of sources) hash.update(`\0${name}\0${text}`);
  return hash.digest('hex');
}

async function compile({ entry, sources }) {
  const { default: asc } = await import('assemblyscript/asc');
  const { error, stderr, binary } = await new Promise((resolve) => {
    let binary = null;
    asc
      .main([entry, '--outFile', 'kernels.wasm', ...FLAGS], {
        readFile: (name) => sources.get(name) ?? null,
        writeFile: (name, contents) => {
          if (name === 'kernels.wasm') binary = contents;
        },
        listFiles: () => [],
      })
      .then(({ error, stderr }) => resolve({ error, stderr, binary }));
  });
  if (error !== null || binary === null) throw new Error(`${entry} does not compile\n${stderr}`);
  return binary;
}

function moduleText(owner, hash, binary) {
  const base64 = Buffer.from(binary).toString('base64');
  const lines = base64.match(/.{1,116}/g) ?? [];
  return `/** Made by scripts/make-kernels.mjs from packages/${owner}/kernels; never edited by hand. */

/** Of the sources that the bytes were compiled from. */
export const KERNEL_SOURCES_SHA256 = '${hash}';

export const KERNEL_BYTES_BASE64: string = \`
${lines.join('\n')}
\`;
`;
}

/** Compiles what is not that of its sources; true when there was anything. */
export async function makeKernels() {
  let isAnyMade = false;
  for (const module of kernelModules()) {
    const hash = hashOf(module.sources);
    if (readFileIfThere(outputOf(module)).includes(hash)) continue;
    writeFileSync(outputOf(module), moduleText(module.owner, hash, await compile(module)));
    isAnyMade = true;
  }
  return isAnyMade;
}

function readFileIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--check')) await makeKernels();
  else {
    for (const module of kernelModules()) {
      if (readFileIfThere(outputOf(module)) === moduleText(module.owner, hashOf(module.sources), await compile(module)))
        continue;
      process.stderr.write(`${module.entry} is not that of its sources: run node scripts/make-kernels.mjs\n`);
      process.exitCode = 1;
    }
  }
}
