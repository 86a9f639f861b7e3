/**
 * A node inside somebody else's process, built: what it leaves behind.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const ENTRY = new URL('../../packages/testing/dist/index.js', import.meta.url).href;
const CLIENT = fileURLToPath(new URL('../../node_modules/@elastic/elasticsearch/index.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'shoal-embedded-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/** Runs a program in an empty folder until it ends by itself. */
function run(program: string): Promise<Ended> {
  const source = `const { startShoal } = await import(${JSON.stringify(ENTRY)});\n${program}`;
  return new Promise((resolve) => {
    const env = { ...process.env, TMPDIR: folder, NODE_OPTIONS: '' };
    const child = execFile(
      process.execPath,
      ['--input-type=module', '-e', source],
      { cwd: folder, env },
      (_, out, errors) => resolve({ code: child.exitCode, out: out.trim(), errors }),
    );
  });
}

function isOpen(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

test('the door of shoal/testing loads nothing before it has looked at the version of Node.js', () => {
  const door = readFileSync(new URL('start/start-shoal.js', ENTRY), 'utf8');
  expect(door.match(/^(?:import|export)\b.*\bfrom\b/gm)).toBeNull();
  expect(door.indexOf('process.versions.node')).toBeLessThan(door.indexOf('import('));
});

describe('a node that nobody closes', () => {
  test('lets its process end, and leaves no file and no port', async () => {
    const { code, out, errors } = await run(`
      const { createRequire } = await import('node:module');
      const { Client } = createRequire(import.meta.url)(${JSON.stringify(CLIENT)});
      const node = await startShoal();
      const es = new Client({ node: node.url });
      await es.index({ index: 'books', id: '1', document: { title: 'Emma' } });
      const found = await es.search({ index: 'books', query: { match: { title: 'emma' } } });
      console.log(found.hits.total.value, node.url);
    `);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const [hits, url = ''] = out.split(' ');
    expect(hits).toBe('1');
    expect(await isOpen(url)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('keeps its process for as long as something is asked', async () => {
    const { code, out } = await run(`
      const node = await startShoal();
      await node.load([{ n: 1 }], { index: 'numbers' });
      const snapshot = await node.snapshot();
      await node.fetch('/numbers', { method: 'DELETE' });
      await node.clock.advance('1h');
      await node.restore(snapshot);
      console.log((await (await node.fetch('/numbers/_count')).json()).count);
    `);
    expect({ code, out }).toEqual({ code: 0, out: '1' });
  });
});

test('a node without an address starts no process, thread or listener', async () => {
  const { code, out } = await run(`
    const { createHook } = await import('node:async_hooks');
    const made = new Set();
    createHook({ init: (_, type) => made.add(type) }).enable();
    const node = await startShoal();
    await node.load([{ n: 1 }], { index: 'numbers' });
    await node.fetch('/numbers/_search');
    console.log([...made].filter((type) => /^(WORKER|PROCESSWRAP|TCP|PIPESERVER|PIPECONNECT|UDP|GETADDRINFO|SIGNAL)/.test(type)).join());
  `);
  expect({ code, out }).toEqual({ code: 0, out: '' });
});

test('eight processes at once have what is theirs', async () => {
  const programs = Array.from({ length: 8 }, (_, n) =>
    run(`
      const node = await startShoal();
      const url = node.url;
      for (let i = 0; i <= ${n}; i++) await fetch(url + '/books/_doc/' + i, { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json' } });
      console.log((await (await fetch(url + '/books/_count')).json()).count);
    `),
  );
  expect((await Promise.all(programs)).map(({ out }) => out)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
});
