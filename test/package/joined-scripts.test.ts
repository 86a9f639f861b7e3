/**
 * The joined scripts that `shoal` and `shoal/testing` are: they take in the code that was compiled when they were joined, where it fits, and work
 * without it where it does not.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { root } from '../house/source-tree.test-support.ts';

const dist = join(root, 'packages/cli/dist');
const bundle = join(dist, 'bundle');
const IMPORT = 'import-outside.cjs';
const LOADER = 'load-scripts.cjs';
// Beside the folder that it is copied from, so that libraries are found.
const copy = mkdtempSync(join(dist, 'bundle-copy-'));

afterAll(() => rmSync(copy, { recursive: true, force: true }));

interface Outcome {
  readonly hits: number;
  /** Scripts that `load-scripts.cjs` compiled itself, and those of them whose compiled code V8 refused. */
  readonly compiled: number;
  readonly refused: readonly string[];
  /** Both are loaded by the first who asks for them, whoever else does. */
  readonly isLoadedOnce: boolean;
}

const PROGRAM = `
const { startShoal } = await import(process.argv[1] + '/testing.js');
const again = await import(process.argv[1] + '/testing.js?again');
const { scripts } = await import(process.argv[1] + '/load-scripts.cjs');
const nodes = await Promise.all([startShoal(), startShoal()]);
const counts = await Promise.all(nodes.map(async (node) => {
  await node.load([{ title: 'a reef' }], { index: 'words' });
  return (await (await node.fetch('/words/_search?q=title:reef')).json()).hits.total.value;
}));
await Promise.all(nodes.map((node) => node.close()));
const refused = [...scripts].filter(([, script]) => script.cachedDataRejected !== false).map(([name]) => name);
console.log(JSON.stringify({ hits: counts[0] + counts[1], compiled: scripts.size, refused, isLoadedOnce: again.startShoal === startShoal }));
`;

function startFrom(folder: string, flags: readonly string[] = []): Outcome {
  const args = [...flags, '--input-type=module', '-e', PROGRAM, pathToFileURL(folder).href];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout) as Outcome; // Printed by the program above.
}

test('a start takes in compiled code for every script that it loads', () => {
  const { hits, compiled, refused, isLoadedOnce } = startFrom(bundle);
  expect({ hits, refused, isLoadedOnce }).toEqual({ hits: 2, refused: [], isLoadedOnce: true });
  expect(compiled).toBeGreaterThan(5);
});

test('V8 refuses compiled code under other flags, and compiles the text', () => {
  const { hits, compiled, refused } = startFrom(bundle, ['--no-lazy-feedback-allocation']);
  expect(hits).toBe(2);
  expect(refused).toHaveLength(compiled);
});

test('where nothing compiled by this Node.js is kept, scripts are loaded as by any other', () => {
  cpSync(bundle, copy, { recursive: true, filter: (path) => !path.endsWith('/compiled') });
  expect(startFrom(copy)).toEqual({ hits: 2, compiled: 0, refused: [], isLoadedOnce: true });
});

test('names of scripts change with their text, and those of compiled code are theirs', () => {
  const scripts = readdirSync(bundle).filter((name) => name.endsWith('.cjs') && ![IMPORT, LOADER].includes(name));
  expect(scripts.filter((name) => !/[-.][\w-]{8}\.cjs$/.test(name))).toEqual([]);
  const [folder = '', ...others] = readdirSync(join(bundle, 'compiled'));
  expect(others).toEqual([]);
  expect(readdirSync(join(bundle, 'compiled', folder)).filter((name) => !scripts.includes(name))).toEqual([]);
});

test('no script imports by itself: one that V8 took in compiled could not', () => {
  const importing = readdirSync(bundle).filter(
    (name) => name.endsWith('.cjs') && /(?<![.\w])import\s*\(/.test(readFileSync(join(bundle, name), 'utf8')),
  );
  expect(importing).toEqual([IMPORT]);
});

test('a thread takes in compiled code too', () => {
  const program = `
    const { Worker } = await import('node:worker_threads');
    const code = 'import { parentPort } from "node:worker_threads";'
      + 'import { scripts } from ' + JSON.stringify(process.argv[1] + '/load-scripts.cjs') + ';'
      + 'import { start } from ' + JSON.stringify(process.argv[1] + '/shard-worker.js') + ';'
      + 'const refused = [...scripts].filter(([, { cachedDataRejected }]) => cachedDataRejected !== false).length;'
      + 'parentPort.postMessage([typeof start, scripts.size > 5, refused]);';
    new Worker(new URL('data:text/javascript,' + encodeURIComponent(code))).on('message', (loaded) => console.log(JSON.stringify(loaded)));
  `;
  const args = ['--input-type=module', '-e', program, pathToFileURL(bundle).href];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: '["function",true,0]\n', stderr: '' });
});
