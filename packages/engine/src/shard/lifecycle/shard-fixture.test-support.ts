/**
 * Shards for tests: a clock that stands still until told, any disk, no query execution.
 */

import { NO_CONFIG_FILES } from '@shoal/core';
import { createSilentLog, type Disk, type Runtime } from '@shoal/runtime';
import { mergeMapping } from '@shoal/schema';
import type { HistoryOperation, WriteOperation, WriteOutcome, WriteResult } from '@shoal/shard-api';
import type { ShardSearch } from '../../phases/shard-search.ts';
import type { OpenShardOptions, Shard } from '../contract/shard.ts';
import { openShardWith } from './open-shard.ts';

export interface TestRuntime extends Runtime {
  /** Moves the clock and runs what is due. */
  advance(ms: number): Promise<void>;
}

export function createTestRuntime(disk: Disk): TestRuntime {
  let nowMs = 1_000;
  let timers: { readonly atMs: number; readonly fn: () => void }[] = [];
  const unused = (): never => {
    throw new Error('not used by a shard');
  };
  const random = {
    u32: () => 7,
    below: () => 0,
    bytes: (count: number) => new Uint8Array(count).fill(7),
    fork: () => random,
  };
  return {
    clock: { monotonicMs: () => nowMs, wallMs: () => nowMs },
    random,
    net: { listen: unused, dial: unused, resolve: unused },
    disk,
    config: NO_CONFIG_FILES,
    sched: {
      after: (ms, fn) => {
        const timer = { atMs: nowMs + ms, fn };
        timers.push(timer);
        return () => {
          timers = timers.filter((other) => other !== timer);
        };
      },
      soon: (fn) => {
        void Promise.resolve().then(fn);
      },
    },
    workers: { isInline: true, spawn: unused },
    log: createSilentLog(),
    machine: { cpuCount: 1, totalMemoryBytes: 0, sample: unused },
    advance: async (ms) => {
      nowMs += ms;
      const due = timers.filter((timer) => timer.atMs <= nowMs);
      timers = timers.filter((timer) => timer.atMs > nowMs);
      for (const timer of due) timer.fn();
      for (let i = 0; i < 200; i++) await Promise.resolve();
    },
  };
}

const noSearch: ShardSearch = {
  executeShardQuery: async () => ({
    total: null,
    maxScore: null,
    columns: [],
    scores: null,
    ords: new Uint32Array(0),
    timedOut: false,
    terminatedEarly: false,
    isSkipped: false,
    aggregations: null,
    groups: null,
    profile: null,
  }),
  executeRankQuery: () => Promise.reject(new Error('no search here')),
  collectStatistics: () => new Uint8Array(0),
  termVectors: () => Promise.reject(new Error('no term vectors here')),
  suggest: async () => [],
  enumerateTerms: async () => ({ terms: [], isComplete: true }),
  fetchHits: async () => [],
};

export const LIB_MAPPING = { properties: { title: { type: 'text' }, tag: { type: 'keyword' }, n: { type: 'long' } } };

export const shardOptions = (more: Partial<OpenShardOptions> = {}): OpenShardOptions => ({
  shard: { index: 'lib', indexUuid: 'uuid-1', number: 0 },
  path: 'data/indices/uuid-1/0',
  allocationId: 'alloc-1',
  primaryTerm: 1,
  bootstrap: 'create',
  settings: {},
  mapping: LIB_MAPPING,
  ...more,
});

export function openTestShard(runtime: Runtime, more: Partial<OpenShardOptions> = {}): Promise<Shard> {
  return openShardWith(noSearch, runtime, shardOptions(more));
}

export const NO_CONDITIONS = { ifSeqNo: null, ifPrimaryTerm: null, version: null, versionType: 'internal' } as const;

const encode = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

type IndexOperation = Extract<WriteOperation, { kind: 'index' }>;

export const index = (id: string, source: unknown, more: Partial<IndexOperation> = {}): WriteOperation => ({
  kind: 'index',
  opType: 'index',
  id,
  routing: null,
  isAutoId: false,
  source: encode(source),
  conditions: NO_CONDITIONS,
  ...more,
});

export const remove = (id: string, conditions: WriteOperation['conditions'] = NO_CONDITIONS): WriteOperation => ({
  kind: 'delete',
  id,
  routing: null,
  conditions,
});

export const update = (id: string, body: unknown): WriteOperation => ({
  kind: 'update',
  id,
  routing: null,
  body: encode(body),
  conditions: NO_CONDITIONS,
});

/** One operation's result, its mapping update applied as the cluster manager would. */
export async function writeOne(shard: Shard, operation: WriteOperation): Promise<WriteResult> {
  const outcome: WriteOutcome = await shard.write([operation]);
  const result = outcome.results.at(0);
  if (result !== undefined) return result;
  shard.updateMapping(mergeMapping(LIB_MAPPING, outcome.mappingUpdate));
  return writeOne(shard, operation);
}

/** Applies operations of a primary and makes those that were executed durable, also where the rest is refused. */
export async function applyDurably(
  shard: Shard,
  operations: readonly HistoryOperation[],
  primaryTerm: number,
): Promise<void> {
  try {
    await shard.history.apply(operations, primaryTerm);
  } finally {
    await shard.history.sync();
  }
}

/** `type: reason`, or the result's word. */
export function shown(result: WriteResult | undefined): string {
  if (result === undefined) return 'nothing';
  return result.kind === 'failed' ? `${result.error.type}: ${result.error.reason}` : result.result;
}

export function sourceOf(shard: Shard, id: string, realtime = true): string | null {
  const hit = shard.get({ id, realtime });
  return hit === null || hit.source === null ? null : new TextDecoder().decode(hit.source);
}
