#!/usr/bin/env node
/**
 * `npm run bench:replication [-- --docs 200000 --rounds 3 --kills 20 --megabytes 200 --phases idle,bulk,failover,recovery]`: what copies
 * cost, and how soon they help.
 *
 * Three data nodes and a coordinator, processes of this machine together with this driver, so that the cores that copies take are taken
 * from the primaries. `bulk` writes with no replica and with one in turn, the first round only warms up; `failover` kills the node
 * with the primary and takes the time to the next acknowledged write of a client that tries again at once; `recovery` copies a shard under the
 * throttle and without. Nothing is asserted.
 */
import { parseArgs } from 'node:util';
import { machineLine } from './bench/machine.mjs';
import { percentile, printTable } from './bench/measure.mjs';
import { NodeProcesses } from './bench/node-processes.mjs';
import { Client, cpuMsOf, processFacts, residentMbOf, sleep } from './bench/servers.mjs';
import { fill, MAPPING, makeCorpus } from './bench/zipf-index.mjs';
import { buildIfNeeded } from './built.mjs';

const PHASES = { idle: measureIdle, bulk: measureBulk, failover: measureFailover, recovery: measureRecovery };
const { values: options } = parseArgs({
  options: {
    docs: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
    kills: { type: 'string', default: '20' },
    megabytes: { type: 'string', default: '200' },
    phases: { type: 'string', default: Object.keys(PHASES).join(',') },
  },
});
const DATA_NODES = 3;
const BULK_CLIENTS = 4;
const IDLE_MS = 10_000;
/** A client tries again after so long. */
const RETRY_MS = 5;
const MB = 1e6;
const note = (text) => process.stderr.write(`${text}\n`);

async function create(client, index, shards, replicas) {
  const settings = { number_of_shards: shards, number_of_replicas: replicas };
  await client.send('PUT', `/${index}?wait_for_active_shards=all`, { settings, mappings: MAPPING });
}

async function measureIdle(nodes) {
  await sleep(IDLE_MS);
  const rows = [['idle, resident', 'MB']];
  for (const [name, pid] of Object.entries(nodes.pids)) rows.push([name, processFacts(pid).residentMb.toFixed(0)]);
  rows.push(['together', residentMbOf(nodes).toFixed(0)]);
  printTable(rows);
}

async function measureBulk(nodes, client) {
  const docs = Number(options.docs);
  const { batches } = makeCorpus(docs);
  const found = [[], []];
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const replicas of [0, 1]) {
      const index = `bulk-${replicas}`;
      await create(client, index, DATA_NODES, replicas);
      await nodes.untilGreen();
      const cpuBefore = cpuMsOf(nodes);
      const startedMs = performance.now();
      await fill(client, batches, { index, writers: BULK_CLIENTS });
      const seconds = (performance.now() - startedMs) / 1000;
      const one = { rate: docs / seconds, cpuMicros: ((cpuMsOf(nodes) - cpuBefore) * 1000) / docs };
      note(`${index}, round ${round}: ${one.rate.toFixed(0)} a second, ${one.cpuMicros.toFixed(1)} us`);
      if (round > 0) found[replicas].push(one);
      await client.send('DELETE', `/${index}`);
    }
  }
  const median = (replicas, of) =>
    percentile(
      found[replicas].map(of).sort((a, b) => a - b),
      50,
    );
  const rate = (replicas) => median(replicas, (one) => one.rate);
  const cpu = (replicas) => median(replicas, (one) => one.cpuMicros);
  printTable([
    [`bulk, ${docs} documents, ${DATA_NODES} shards`, 'no replica', 'one replica', 'ratio'],
    ['documents a second', rate(0).toFixed(0), rate(1).toFixed(0), (rate(1) / rate(0)).toFixed(2)],
    ['CPU a document, us', cpu(0).toFixed(1), cpu(1).toFixed(1), (cpu(1) / cpu(0)).toFixed(2)],
  ]);
}

/** Name of the node that has the primary of the only shard. */
async function primaryOf(client, index) {
  const shards = JSON.parse(await client.send('GET', `/_cat/shards/${index}?format=json&h=prirep,node`));
  return shards.find(({ prirep }) => prirep === 'p').node;
}

async function measureFailover(nodes, client) {
  const index = 'failover';
  await create(client, index, 1, 1);
  await nodes.untilGreen();
  const times = [];
  let written = 0;
  const write = () => client.send('PUT', `/${index}/_doc/${written}`, { n: written });
  for (let kill = 0; kill < Number(options.kills); kill++) {
    for (const endMs = performance.now() + 500; performance.now() < endMs; written++) await write();
    const name = await primaryOf(client, index);
    const killed = nodes.kill(name);
    const startedMs = performance.now();
    await killed;
    for (;;) {
      const isWritten = await write().then(
        () => true,
        () => false,
      );
      if (isWritten) break;
      await sleep(RETRY_MS);
    }
    written++;
    times.push(performance.now() - startedMs);
    note(`kill ${kill + 1} (${name}): ${times.at(-1).toFixed(0)} ms`);
    nodes.launch(name);
    await nodes.untilNodes(nodes.names.length);
    await nodes.untilGreen();
  }
  await client.send('POST', `/${index}/_refresh`);
  const { count } = JSON.parse(await client.send('GET', `/${index}/_count`));
  times.sort((a, b) => a - b);
  printTable([
    [`kill -9 of the node with the primary, ${times.length} times`, ''],
    ['to the next acknowledged write, median', `${percentile(times, 50).toFixed(0)} ms`],
    ['at most', `${times.at(-1).toFixed(0)} ms`],
    ['documents acknowledged, and counted', `${written}, ${count}`],
  ]);
}

async function measureRecovery(nodes, client) {
  const index = 'recovery';
  await create(client, index, 1, 0);
  const { batches } = makeCorpus(20_000);
  const size = async () => {
    await client.send('POST', `/${index}/_flush`);
    const stats = JSON.parse(await client.send('GET', `/${index}/_stats/store`));
    return stats._all.primaries.store.size_in_bytes;
  };
  while ((await size()) < Number(options.megabytes) * MB) await fill(client, batches, { index, writers: BULK_CLIENTS });
  const bytes = await size();
  const rows = [[`recovery of a shard of ${(bytes / MB).toFixed(0)} MB`, 'seconds', 'MB a second', 'CPU, s']];
  for (const limit of ['40mb', '-1']) {
    await client.send('PUT', '/_cluster/settings', { persistent: { 'indices.recovery.max_bytes_per_sec': limit } });
    const cpuBefore = cpuMsOf(nodes);
    const startedMs = performance.now();
    await client.send('PUT', `/${index}/_settings`, { number_of_replicas: 1 });
    await nodes.untilGreen();
    const seconds = (performance.now() - startedMs) / 1000;
    const cpu = ((cpuMsOf(nodes) - cpuBefore) / 1000).toFixed(1);
    const name = limit === '-1' ? 'no throttle' : `throttle of ${limit} a second`;
    rows.push([name, seconds.toFixed(1), (bytes / MB / seconds).toFixed(0), cpu]);
    await client.send('PUT', `/${index}/_settings`, { number_of_replicas: 0 });
    await nodes.untilGreen();
  }
  printTable(rows);
}

buildIfNeeded();
process.stdout.write(`${machineLine()}\n\n`);
for (const phase of options.phases.split(',')) {
  const measure = PHASES[phase];
  if (measure === undefined) throw new Error(`phase ${phase} is none of ${Object.keys(PHASES)}`);
  const nodes = await NodeProcesses.start(DATA_NODES);
  const client = new Client(nodes);
  await measure(nodes, client);
  client.close();
  await nodes.end();
}
