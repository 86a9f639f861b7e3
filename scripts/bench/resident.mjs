/**
 * What loading documents costs a shard, in process and alone: time and CPU a document, memory held at the end, bytes on disk,
 * and how long the shard takes from its files to the first answer.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipfDocuments } from './zipf-corpus.mjs';

const MB = 1024 * 1024;
const BATCH = 2_000;
const CONDITIONS = { ifSeqNo: null, ifPrimaryTerm: null, version: null, versionType: 'internal' };
const SEARCH = {
  aliasFilter: null,
  topN: 10,
  nowMs: 0,
  keepAliveMs: 1_000,
  shardIndex: 0,
  reader: null,
  isScroll: false,
  statistics: null,
  indexBoost: 1,
};
const encoder = new TextEncoder();
const silent = { debug() {}, info() {}, warn: console.warn, error: console.error, child: () => silent };

export const RESIDENT_MAPPING = {
  properties: { body: { type: 'text' }, cat: { type: 'keyword' }, n: { type: 'long' } },
};

export function residentDocument(words, number) {
  return encoder.encode(
    JSON.stringify({ body: words.join(' '), cat: `cat-${number % 100}`, n: (number * 7919) % 1_000_000 }),
  );
}

function optionsOf(bootstrap) {
  return {
    shard: { index: 'bench', indexUuid: 'bench', number: 0 },
    path: 'indices/bench/0',
    allocationId: bootstrap,
    primaryTerm: 1,
    bootstrap,
    settings: {},
    mapping: RESIDENT_MAPPING,
  };
}

/** High-water mark of this process, where the kernel tells. */
function peakMegabytes() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function cpuSeconds(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}

/** Loads `docs` documents; the time that makes them is not counted. */
async function load(shard, docs) {
  const spent = { seconds: 0, cpuSeconds: 0 };
  let operations = [];
  let number = 0;
  const flush = async () => {
    const from = performance.now();
    const cpu = process.cpuUsage();
    await shard.write(operations);
    spent.cpuSeconds += cpuSeconds(cpu);
    spent.seconds += (performance.now() - from) / 1000;
    operations = [];
  };
  for (const words of zipfDocuments(docs)) {
    const source = residentDocument(words, number);
    const id = `id-${String(number++).padStart(17, '0')}`;
    operations.push({
      kind: 'index',
      opType: 'create',
      id,
      routing: null,
      isAutoId: true,
      source,
      conditions: CONDITIONS,
    });
    if (operations.length === BATCH) await flush();
  }
  if (operations.length > 0) await flush();
  return spent;
}

/** @param engine modules `openShard`, `createSegmentMemory`, `createNodeRuntime`, `parseSearch` of the build */
export async function measureResident({ openShard, createSegmentMemory, createNodeRuntime, parseSearch }, docs) {
  const root = mkdtempSync(join(tmpdir(), 'shoal-bench-'));
  const open = (bootstrap) =>
    openShard(
      createNodeRuntime({ diskRoot: root, log: silent }),
      optionsOf(bootstrap),
      createSegmentMemory({ bytesMax: 2 ** 32 }),
    );
  try {
    const shard = await open('create');
    const spent = await load(shard, docs);
    const cpu = process.cpuUsage();
    await shard.refresh();
    await shard.flush(false);
    spent.cpuSeconds += cpuSeconds(cpu);
    const stats = shard.stats();
    const resident = process.memoryUsage().rss / MB;
    await shard.close();
    const from = performance.now();
    const again = await open('existing');
    const { request } = parseSearch({ body: encoder.encode('{"query":{"match_all":{}}}'), params: {} });
    await again.query({ ...SEARCH, search: { request, aggregations: null } }, { isStopped: false });
    const startMs = performance.now() - from;
    await again.close();
    return {
      docs,
      docsPerSecond: Math.round(docs / spent.seconds),
      cpuMicrosPerDoc: Math.round((spent.cpuSeconds / docs) * 1e6),
      segments: stats.segmentCount,
      memoryBytesPerDoc: Math.round(stats.memoryBytes / docs),
      diskBytesPerDoc: Math.round(stats.storeBytes / docs),
      residentMB: Math.round(resident),
      peakMB: Math.round(peakMegabytes()),
      startMs: Math.round(startMs),
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
