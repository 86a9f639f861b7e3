#!/usr/bin/env node
/**
 * `npm run bench [-- --corpus FILE.ndjson.gz]`: what the README says of speed and memory, measured here and now.
 *
 * One cluster of three data nodes and a coordinator on loopback, on this machine together with this driver; the figures are
 * wall times of one sitting unless they say otherwise. Nothing is asserted.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createReadStream, readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import { buildIfNeeded, root } from './built.mjs';

const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string', default: join(root, 'packages/cli/sample/debian-packages.ndjson.gz') },
    starts: { type: 'string', default: '3' },
    requests: { type: 'string', default: '400' },
  },
});
const CLIENTS = 4;
const shoal = join(root, 'packages/cli/bin/shoal.js');

const running = new Set();
// A benchmark that fails leaves no cluster behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

function start(args) {
  const startedMs = performance.now();
  const child = spawn(
    process.execPath,
    [shoal, 'up', '--json', '--ephemeral', '--http-port', '0', '--transport-port', '0', ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  running.add(child);
  return new Promise((resolve, reject) => {
    child.once('close', () => running.delete(child));
    child.once('close', (status) => reject(new Error(`shoal up ended with status ${status}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = JSON.parse(line);
      const end = () => new Promise((done) => child.once('close', done) && child.kill('SIGTERM'));
      if (ready.event === 'ready') resolve({ ...ready, readyMs: performance.now() - startedMs, end });
    });
  });
}

const processFacts = (pid) => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  // Fields 14 and 15 of stat: user and system time in ticks of 10 ms.
  return {
    residentMb: Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024,
    cpuMs: (Number(stat[11]) + Number(stat[12])) * 10,
  };
};
const cpuOf = (pids) => Object.values(pids).reduce((sum, pid) => sum + processFacts(pid).cpuMs, 0);
const percentile = (sorted, p) => sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))];
const median = (values) =>
  percentile(
    [...values].sort((a, b) => a - b),
    50,
  );
const rows = [];
const row = (what, value) => rows.push([what, value]);

async function starts(args) {
  const times = [];
  for (let n = 0; n < Number(options.starts); n++) {
    const cluster = await start(args);
    times.push(cluster.readyMs);
    await cluster.end();
  }
  return `${(median(times) / 1000).toFixed(2)} s (median of ${times.length})`;
}

async function request(url, path, body) {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(url + path, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
  return text;
}

async function measureQuery(cluster, name, path, body) {
  for (let n = 0; n < 40; n++) await request(cluster.url, path, body);
  const times = [];
  const cpuBefore = cpuOf(cluster.pids);
  const total = Number(options.requests);
  let next = 0;
  const client = async () => {
    while (next++ < total) {
      const startedMs = performance.now();
      await request(cluster.url, path, body);
      times.push(performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const sorted = times.sort((a, b) => a - b);
  const cpu = (cpuOf(cluster.pids) - cpuBefore) / total;
  row(
    name,
    `p50 ${percentile(sorted, 50).toFixed(1)} ms, p99 ${percentile(sorted, 99).toFixed(1)} ms, server CPU ${cpu.toFixed(2)} ms a request`,
  );
}

buildIfNeeded();
row('start to ready, empty cluster of 3 + 1', await starts(['--no-sample']));
row('start to ready, with the sample loaded', await starts([]));

const cluster = await start(['--no-sample']);
cluster.url = cluster.http[0];
for (const [name, pid] of Object.entries(cluster.pids))
  row(`idle memory of ${name}`, `${processFacts(pid).residentMb.toFixed(0)} MB resident`);

let documents = 0;
for await (const line of createInterface({ input: createReadStream(options.corpus).pipe(createGunzip()) }))
  if (line !== '') documents += 1;
await fetch(`${cluster.url}/bench`, {
  method: 'PUT',
  body: '{"settings":{"number_of_shards":3,"number_of_replicas":0}}',
  headers: { 'content-type': 'application/json' },
});
const cpuBefore = cpuOf(cluster.pids);
const loadStartedMs = performance.now();
execFileSync(process.execPath, [shoal, 'bulk', options.corpus, '--index', 'bench', '--url', cluster.url], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const seconds = (performance.now() - loadStartedMs) / 1000;
row(
  `load of ${documents} documents into 3 shards`,
  `${seconds.toFixed(1)} s, ${Math.round(documents / seconds)} documents a second, server CPU ${((cpuOf(cluster.pids) - cpuBefore) / 1000).toFixed(1)} s`,
);
await fetch(`${cluster.url}/bench/_refresh`, { method: 'POST' });
for (const [name, pid] of Object.entries(cluster.pids))
  row(`memory of ${name} after it`, `${processFacts(pid).residentMb.toFixed(0)} MB resident`);

await measureQuery(cluster, 'match, top 10', '/bench/_search', { query: { match: { description: 'text editor' } } });
await measureQuery(cluster, 'bool with filter, top 10', '/bench/_search', {
  query: {
    bool: { must: { match: { description: 'library' } }, filter: { range: { installed_size: { gte: 1000 } } } },
  },
});
await measureQuery(cluster, 'phrase, top 10', '/bench/_search', {
  query: { match_phrase: { description: 'shared library' } },
});
await measureQuery(cluster, 'match_all sorted by name, page at 5,000', '/bench/_search', {
  from: 5000,
  size: 10,
  sort: ['name.keyword'],
});
await measureQuery(cluster, 'count', '/bench/_count', { query: { match: { description: 'editor' } } });
await cluster.end();

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
process.stdout.write(
  `\n${cpus().length} x ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, commit ${commit}; ${CLIENTS} clients\n\n`,
);
const width = Math.max(...rows.map(([what]) => what.length));
for (const [what, value] of rows) process.stdout.write(`${what.padEnd(width)}  ${value}\n`);

process.stdout.write('\n');
execFileSync(process.execPath, [join(root, 'scripts/bench-edge.mjs')], { stdio: 'inherit' });
