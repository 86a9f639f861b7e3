#!/usr/bin/env node
/**
 * Compiles the engine's kernels (packages/engine/kernels, AssemblyScript) into the module that carries them as text. Its
 * output is committed, so that neither a start nor a test waits for the compiler; a test compares them.
 *
 *   node scripts/make-kernels.mjs [--check]
 *
 * Without a change of the sources nothing is compiled. With --check nothing is written: it compiles in any case and exits
 * with 1 when the committed module is not that of the sources.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackSource } from './kernels/unpack-source.mjs';

const folder = fileURLToPath(new URL('../packages/engine/kernels/', import.meta.url));
const output = fileURLToPath(new URL('../packages/engine/src/kernels/generated/kernel-bytes.ts', import.meta.url));
const FLAGS = [
  ['-O3', '--noAssert', '--runtime', 'stub', '--use', 'abort='],
  ['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'],
  ['--enable', 'simd', '--enable', 'threads', '--enable', 'bulk-memory'],
].flat();

export function kernelSources() {
  const sources = new Map([['unpack.ts', unpackSource()]]);
  for (const name of readdirSync(folder).sort()) sources.set(name, readFileSync(join(folder, name), 'utf8'));
  return sources;
}

function hashOf(sources) {
  const hash = createHash('sha256').update(FLAGS.join(' '));
  for (const [name, text] of sources) hash.update(`\0${name}\0${text}`);
  return hash.digest('hex');
}

async function compile(sources) {
  const { default: asc } = await import('assemblyscript/asc');
  const { error, stderr, binary } = await new Promise((resolve) => {
    let binary = null;
    asc
      .main(['kernels.ts', '--outFile', 'kernels.wasm', ...FLAGS], {
        readFile: (name) => sources.get(name) ?? null,
        writeFile: (name, contents) => {
          if (name === 'kernels.wasm') binary = contents;
        },
        listFiles: () => [],
      })
      .then(({ error, stderr }) => resolve({ error, stderr, binary }));
  });
  if (error !== null || binary === null) throw new Error(`the kernels do not compile\n${stderr}`);
  return binary;
}

function moduleText(hash, binary) {
  const base64 = Buffer.from(binary).toString('base64');
  const lines = base64.match(/.{1,116}/g) ?? [];
  return `/** Made by scripts/make-kernels.mjs from packages/engine/kernels; never edited by hand. */

/** Of the sources that the bytes were compiled from. */
export const KERNEL_SOURCES_SHA256 = '${hash}';

export const KERNEL_BYTES_BASE64: string = \`
${lines.join('\n')}
\`;
`;
}

/** Compiles when the sources are not those of the committed module; true when it did. */
export async function makeKernels() {
  const sources = kernelSources();
  const hash = hashOf(sources);
  if (readFileIfThere(output).includes(hash)) return false;
  writeFileSync(output, moduleText(hash, await compile(sources)));
  return true;
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
    const sources = kernelSources();
    if (readFileIfThere(output) !== moduleText(hashOf(sources), await compile(sources))) {
      process.stderr.write('the kernels are not those of their sources: run node scripts/make-kernels.mjs\n');
      process.exitCode = 1;
    }
  }
}
