#!/usr/bin/env node
/**
 * `npm run bench:testing`: what a node in a test costs, of files joined as a package has them.
 *
 * Each run is a process of its own: import, start, 100 documents loaded, first hit, a second node, a return to 1,000 documents.
 * Printed are median and 95th percentile of the wall clock, and the median of processor time, which other work on the machine
 * changes less. `--runs N` (20), `--peer COMMAND` starts a server for comparison by a shell command whose last argument becomes a
 * port, and measures to its first hit; the server ends with the command's process group.
 */
import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { freePort } from './bench/free-port.mjs';
import { machineLine } from './bench/machine.mjs';

/** As deep as the folder of the command's joined files. */
const FOLDER = fileURLToPath(new URL('../packages/cli/dist/bench-bundle', import.meta.url));
const ENTRY = new URL('../packages/cli/dist/bench-bundle/testing.js', import.meta.url).href;
const PEER_MS_MAX = 180_000;
const LOOK_EVERY_MS = 50;

function documents(count) {
  return Array.from({ length: count }, (_, n) => ({
    title: `the book number ${n}`,
    author: `author ${n % 17}`,
    pages: n,
  }));
}

async function oneRun() {
  const cpuMs = () => (({ user, system }) => (user + system) / 1_000)(process.cpuUsage());
  const marks = [];
  const figures = {};
  const begin = () => marks.push([performance.now(), cpuMs()]);
  const end = (name) => {
    const [wall, cpu] = marks.pop();
    figures[name] = [performance.now() - wall, cpuMs() - cpu];
  };
  const rssBefore = process.memoryUsage.rss();
  begin();
  begin();
  const { startShoal } = await import(ENTRY);
  end('import');
  begin();
  const node = await startShoal();
  await node.load(documents(100), { index: 'books' });
  const body = { query: { match: { title: 'number' } } };
  const found = await (await node.fetch('/books/_search', { method: 'POST', body })).json();
  if (found.hits.total.value !== 100) throw new Error(`found ${JSON.stringify(found)}`);
  end('start to first hit, after the import');
  end('import to first hit');
  figures['memory added'] = [(process.memoryUsage.rss() - rssBefore) / 1e6, 0];
  begin();
  const second = await startShoal();
  end('second node');
  await second.close();
  await node.load(documents(1_000), { index: 'thousand', id: ({ pages }) => String(pages) });
  const snapshot = await node.snapshot();
  const restores = [];
  for (let turn = 0; turn < 5; turn++) {
    await node.fetch('/thousand/_doc/7', { method: 'DELETE' });
    begin();
    await node.restore(snapshot);
    end('restore');
    restores.push(figures.restore);
  }
  delete figures.restore;
  figures['first return to 1,000 documents'] = restores[0];
  figures['fifth return to 1,000 documents'] = restores[4];
  await node.close();
  return figures;
}

const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)];

async function firstHitOf(command) {
  const port = await freePort();
  const startMs = performance.now();
  const child = spawn('sh', ['-c', `exec ${command} ${port}`], { stdio: 'ignore', detached: true });
  try {
    const base = `http://127.0.0.1:${port}`;
    const lines = documents(100).flatMap((document) => ['{"index":{}}', JSON.stringify(document)]);
    while (performance.now() - startMs < PEER_MS_MAX) {
      try {
        const headers = { 'content-type': 'application/x-ndjson' };
        const bulk = await fetch(`${base}/bench-testing/_bulk?refresh=true`, {
          method: 'POST',
          headers,
          body: `${lines.join('\n')}\n`,
        });
        const found = bulk.ok ? await (await fetch(`${base}/bench-testing/_search?q=number`)).json() : null;
        if (found?.hits?.total?.value > 0) return performance.now() - startMs;
      } catch {
        // Not up yet.
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    throw new Error(`no hit within ${PEER_MS_MAX} ms`);
  } finally {
    process.kill(-child.pid, 'SIGTERM');
  }
}

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20' }, peer: { type: 'string' }, one: { type: 'boolean' } },
});
if (values.one) {
  console.log(JSON.stringify(await oneRun()));
} else {
  const { bundle, ENTRIES } = await import('./bundle.mjs');
  const { isInlined } = await import('./pack/inlined.mjs');
  await bundle(FOLDER, { 'shard-worker': ENTRIES['shard-worker'], testing: ENTRIES.testing }, isInlined);
  const runs = [];
  // The package comes without the native part of msgpackr, which would be found here.
  const env = { ...process.env, MSGPACKR_NATIVE_ACCELERATION_DISABLED: 'true' };
  for (let run = 0; run < Number(values.runs); run++) {
    const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), '--one'], { env });
    runs.push(JSON.parse(stdout));
  }
  console.log(`${machineLine()}, ${runs.length} processes one after the other`);
  console.log(`${''.padEnd(40)}median      p95   median of processor time`);
  for (const name of Object.keys(runs[0])) {
    const wall = runs.map((run) => run[name][0]);
    const cpu = runs.map((run) => run[name][1]);
    const unit = name.startsWith('memory') ? 'MB' : 'ms';
    const shown = (value) => `${value.toFixed(1)} ${unit}`.padStart(9);
    console.log(
      `${name.padEnd(37)}${shown(percentile(wall, 0.5))}${shown(percentile(wall, 0.95))}${unit === 'MB' ? '' : shown(percentile(cpu, 0.5))}`,
    );
  }
  if (values.peer !== undefined)
    console.log(`peer to its first hit: ${(await firstHitOf(values.peer)).toFixed(0)} ms, one run`);
}
