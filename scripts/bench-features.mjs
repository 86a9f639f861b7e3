#!/usr/bin/env node
/**
 * `npm run bench:features [-- --docs 50000 --seconds 1.5 --only nested,geo --peer URL --peer-pid PID]`: what the costlier features
 * of a search take: nested objects, relations, places, suggestions, scripts, hits inside buckets, percolated queries.
 *
 * One shard in one segment, one request at a time. With a peer, another server with the Elasticsearch API on this machine, both are
 * asked in turn in one sitting, and the last column is our processor time a request as a share of the peer's. Nothing is asserted.
 */
import { parseArgs } from 'node:util';
import {
  ALERTS,
  ALERTS_MAPPING,
  featureRequests,
  makeFeatureCorpus,
  SHOP,
  SHOP_MAPPING,
} from './bench/feature-index.mjs';
import { machineLine } from './bench/machine.mjs';
import { load, ms, printTable } from './bench/measure.mjs';
import { Client, startServers } from './bench/servers.mjs';
import { buildIfNeeded } from './built.mjs';

const { values: options } = parseArgs({
  options: {
    docs: { type: 'string', default: '50000' },
    seconds: { type: 'string', default: '1.5' },
    only: { type: 'string' },
    peer: { type: 'string' },
    'peer-pid': { type: 'string' },
  },
});
const seconds = Number(options.seconds);
const wanted = options.only?.split(',') ?? [''];

buildIfNeeded();
process.stdout.write(
  `${machineLine()}\n` +
    `${options.docs} documents with three nested offers each, one shard, one segment, one request at a time\n\n`,
);

const corpus = makeFeatureCorpus(Number(options.docs));
const ours = await startServers(['--nodes', '1']);
const servers = [{ pids: ours.pids, client: new Client(ours) }];
if (options.peer !== undefined) {
  servers.push({ pids: { peer: Number(options['peer-pid']) }, client: new Client({ http: [options.peer] }) });
}
for (const server of servers) await fill(server);

const rows = [
  ['search', 'p50 ms', 'p99 ms', 'CPU ms', ...(servers.length > 1 ? ['peer p50', 'peer CPU', 'CPU ratio'] : [])],
];
for (const [name, index, bodies] of featureRequests(corpus.words)) {
  if (!wanted.some((start) => name.startsWith(start))) continue;
  const [own, peer] = await measured(index, bodies);
  const beside = peer === undefined ? [] : [ms(peer.p50), ms(peer.cpuMs), (own.cpuMs / peer.cpuMs).toFixed(2)];
  rows.push([name, ms(own.p50), ms(own.p99), ms(own.cpuMs), ...beside]);
}
printTable(rows);
for (const { client } of servers) {
  for (const index of [SHOP, ALERTS]) await client.send('DELETE', `/${index}`);
  client.close();
}
await ours.end();

async function measured(index, bodies) {
  const results = [];
  for (const { pids, client } of servers) {
    const send = (i) => client.search(index, bodies[i % bodies.length]);
    await load({ pids }, { clients: 1, seconds: seconds / 2, send });
    results.push(await load({ pids }, { clients: 1, seconds, send }));
  }
  return results;
}

async function fill({ client }) {
  const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
  for (const [index, mappings, batches] of [
    [SHOP, SHOP_MAPPING, corpus.shop],
    [ALERTS, ALERTS_MAPPING, corpus.alerts],
  ]) {
    await client.send('PUT', `/${index}`, { settings, mappings });
    for (const body of batches) {
      const answer = await client.send('POST', `/${index}/_bulk?filter_path=errors`, body, 'application/x-ndjson');
      if (answer !== '{"errors":false}') throw new Error(`a bulk failed: ${answer}`);
    }
    await client.send('POST', `/${index}/_refresh`);
    await client.send('POST', `/${index}/_forcemerge?max_num_segments=1`);
    await client.send('POST', `/${index}/_refresh`);
  }
}
