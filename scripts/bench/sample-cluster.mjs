/**
 * What the README says of start, memory and speed: a cluster of three data nodes and a coordinator over package descriptions.
 */
import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { load, ms, percentile, printTable } from './measure.mjs';
import { Client, cpuMsOf, processFacts, shoal, startServers } from './servers.mjs';

const CLIENTS = 4;
const STARTS = 3;

const QUERIES = [
  ['match, top 10', '_search', { query: { match: { description: 'text editor' } } }],
  [
    'bool with filter, top 10',
    '_search',
    {
      query: {
        bool: { must: { match: { description: 'library' } }, filter: { range: { installed_size: { gte: 1000 } } } },
      },
    },
  ],
  ['phrase, top 10', '_search', { query: { match_phrase: { description: 'shared library' } } }],
  [
    'match_all sorted by name, page at 5,000',
    '_search',
    { from: 5000, size: 10, query: { match_all: {} }, sort: ['name.keyword'] },
  ],
  ['count', '_count', { query: { match: { description: 'editor' } } }],
];

async function startTime(args) {
  const times = [];
  for (let n = 0; n < STARTS; n++) {
    const cluster = await startServers(args);
    times.push(cluster.readyMs);
    await cluster.end();
  }
  times.sort((a, b) => a - b);
  return `${(percentile(times, 50) / 1000).toFixed(2)} s (median of ${STARTS})`;
}

export async function measureSampleCluster({ corpus, seconds }) {
  const rows = [['3 data nodes and a coordinator', '']];
  rows.push(['start to ready, empty', await startTime(['--no-sample'])]);
  rows.push(['start to ready, with the sample loaded', await startTime([])]);
  const cluster = await startServers(['--no-sample']);
  const memory = (when) => {
    for (const [name, pid] of Object.entries(cluster.pids))
      rows.push([`memory of ${name}, ${when}`, `${processFacts(pid).residentMb.toFixed(0)} MB resident`]);
  };
  memory('idle');
  let documents = 0;
  for await (const line of createInterface({ input: createReadStream(corpus).pipe(createGunzip()) }))
    if (line !== '') documents += 1;
  const client = new Client(cluster);
  await client.send('PUT', '/bench', { settings: { number_of_shards: 3, number_of_replicas: 0 } });
  const cpuBefore = cpuMsOf(cluster);
  const startedMs = performance.now();
  execFileSync(process.execPath, [shoal, 'bulk', corpus, '--index', 'bench', '--url', cluster.http[0]], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const took = (performance.now() - startedMs) / 1000;
  const rate = Math.round(documents / took);
  const cpu = ((cpuMsOf(cluster) - cpuBefore) / 1000).toFixed(1);
  rows.push([
    `load of ${documents} documents into 3 shards`,
    `${took.toFixed(1)} s, ${rate} documents a second, server CPU ${cpu} s`,
  ]);
  await client.send('POST', '/bench/_refresh');
  memory('loaded');
  for (const [name, path, body] of QUERIES) {
    const send = () => client.send('POST', `/bench/${path}`, body);
    await load(cluster, { clients: CLIENTS, seconds: seconds / 2, send });
    const { p50, p99, cpuMs } = await load(cluster, { clients: CLIENTS, seconds, send });
    rows.push([name, `p50 ${ms(p50)} ms, p99 ${ms(p99)} ms, server CPU ${cpuMs.toFixed(2)} ms a request`]);
  }
  client.close();
  await cluster.end();
  printTable(rows);
}
