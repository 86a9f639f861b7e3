#!/usr/bin/env node
/**
 * `npm run bench:shards [-- --copies 400,1000,2000 --docs 3 --idle 10]`: what a cluster of many shards costs, and how soon it is there again.
 *
 * Three data nodes and a coordinator, processes of this machine together with this driver. Indices of one primary and one replica are
 * made, with a few documents each; then all data nodes stop in order and start again over their folders. The clock of `green` runs
 * from the start of the processes to a health that is green; meanwhile the health is asked ten times a second, through the coordinator,
 * which asks the cluster manager: `slowest health` is the longest that an answer took since the first one that named three data nodes. CPU time and
 * resident memory are those of the new processes when they are green, the median of the three and the largest. Nothing is asserted.
 *
 * `--profile FOLDER` has the nodes leave CPU profiles of all their threads, each of ten seconds, which cost time of their own.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { machineLine } from './bench/machine.mjs';
import { printTable } from './bench/measure.mjs';
import { NodeProcesses } from './bench/node-processes.mjs';
import { Client, processFacts, sleep } from './bench/servers.mjs';
import { buildIfNeeded, root } from './built.mjs';

const { values: options } = parseArgs({
  options: {
    copies: { type: 'string', default: '400,1000,2000' },
    docs: { type: 'string', default: '3' },
    /** Seconds without requests, after which the CPU time of idle nodes is taken. */
    idle: { type: 'string', default: '10' },
    profile: { type: 'string' },
  },
});
const DATA_NODES = 3;
const COPIES_OF_A_SHARD = 2;
const CREATORS = 8;
/** While indices are made copies may recover many at once; the restart is that of a cluster without such a setting. */
const RECOVERIES = 'cluster.routing.allocation.node_concurrent_recoveries';
const RECOVERIES_WHILE_MADE = 16;
/** Longest wait for green. */
const GREEN_MS_MAX = 900_000;
const HEALTH_EVERY_MS = 100;
const note = (text) => process.stderr.write(`${text}\n`);
const seconds = (ms) => (ms / 1000).toFixed(1);

async function makeIndices(client, count) {
  const settings = { persistent: { 'cluster.max_shards_per_node': 100_000, [RECOVERIES]: RECOVERIES_WHILE_MADE } };
  await client.send('PUT', '/_cluster/settings', settings);
  const startedMs = performance.now();
  let next = 0;
  const creator = async () => {
    for (let i = next++; i < count; i = next++) {
      const index = `many-${i}`;
      await client.send('PUT', `/${index}`, {
        settings: { number_of_shards: 1, number_of_replicas: COPIES_OF_A_SHARD - 1 },
        mappings: { properties: { text: { type: 'text' }, n: { type: 'long' } } },
      });
      const lines = Array.from(
        { length: Number(options.docs) },
        (_, n) => `{"index":{}}\n{"text":"a few words","n":${n}}\n`,
      );
      if (lines.length > 0) await client.send('POST', `/${index}/_bulk`, lines.join(''), 'application/x-ndjson');
    }
  };
  await Promise.all(Array.from({ length: CREATORS }, creator));
  await untilGreen(client);
  await client.send('PUT', '/_cluster/settings', { persistent: { [RECOVERIES]: null } });
  return performance.now() - startedMs;
}

/** Asks for the health until it is green; the times of all answers that knew all data nodes, in ms. */
async function untilGreen(client) {
  const endMs = performance.now() + GREEN_MS_MAX;
  const times = [];
  while (performance.now() < endMs) {
    const askedMs = performance.now();
    const text = await client.send('GET', '/_cluster/health?timeout=1s&master_timeout=1s').catch(() => null);
    const tookMs = performance.now() - askedMs;
    const health = text === null ? null : JSON.parse(text);
    if (health?.number_of_data_nodes === DATA_NODES) times.push(tookMs);
    if (health?.number_of_data_nodes === DATA_NODES && health.status === 'green') return times;
    await sleep(Math.max(0, HEALTH_EVERY_MS - tookMs));
  }
  throw new Error(`not green within ${GREEN_MS_MAX / 1000} s`);
}

if (options.profile !== undefined) {
  const profiler = pathToFileURL(join(root, 'scripts/bench/keep-profiles.mjs')).href;
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${profiler}`;
  process.env.SHOAL_BENCH_PROFILES = options.profile;
}
const dataNodes = (nodes) => nodes.names.filter((name) => name !== 'coordinator');

async function restart(nodes, client) {
  const stopMs = performance.now();
  await Promise.all(dataNodes(nodes).map((name) => nodes.kill(name, 'SIGTERM')));
  const stoppedMs = performance.now();
  for (const name of dataNodes(nodes)) nodes.launch(name);
  const times = await untilGreen(client);
  const greenMs = performance.now() - stoppedMs;
  const facts = factsOf(nodes);
  await sleep(Number(options.idle) * 1000);
  const idleCpu = factsOf(nodes).map(
    ({ cpuMs }, at) => ((cpuMs - facts[at].cpuMs) / (Number(options.idle) * 1000)) * 100,
  );
  return { stopMs: stoppedMs - stopMs, greenMs, slowestMs: Math.max(...times), facts, idleCpu };
}

const factsOf = (nodes) => dataNodes(nodes).map((name) => processFacts(nodes.pids[name]));

function medianAndMost(values, digits) {
  const sorted = [...values].sort((a, b) => a - b);
  return `${sorted[Math.floor(sorted.length / 2)].toFixed(digits)} / ${sorted.at(-1).toFixed(digits)}`;
}

async function measure(copies) {
  const nodes = await NodeProcesses.start(DATA_NODES);
  const client = new Client(nodes);
  const madeMs = await makeIndices(client, copies / COPIES_OF_A_SHARD);
  note(`${copies} copies are made after ${seconds(madeMs)} s`);
  const { stopMs, greenMs, slowestMs, facts, idleCpu } = await restart(nodes, client);
  client.close();
  await nodes.end();
  const row = [
    String(copies),
    seconds(madeMs),
    seconds(stopMs),
    seconds(greenMs),
    slowestMs.toFixed(0),
    medianAndMost(
      facts.map(({ cpuMs }) => cpuMs / 1000),
      1,
    ),
    medianAndMost(
      facts.map(({ residentMb }) => residentMb),
      0,
    ),
    medianAndMost(idleCpu, 1),
  ];
  note(row.join('  '));
  return row;
}

buildIfNeeded();
process.stdout.write(`${machineLine()}\n\n`);
const rows = [
  ['copies', 'made, s', 'stop, s', 'green, s', 'slowest health, ms', 'CPU, s', 'resident, MB', 'idle CPU, %'],
];
for (const copies of options.copies.split(',')) rows.push(await measure(Number(copies)));
printTable(rows);
