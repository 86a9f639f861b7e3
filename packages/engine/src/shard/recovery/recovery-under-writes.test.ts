/**
 * A copy is made of a shard that is written to all the while: files of its safe commit piece by piece, then the operations behind it as
 * they cross the network. In the end both have the same documents under the same numbers, and find the same.
 */
import { createMemoryDisk } from '@shoal/runtime';
import { packHistory, unpackHistory } from '@shoal/shard-api';
import { type SeededRandom, seededRandom } from '@shoal/simulation';
import { describe, expect, test } from 'vitest';
import { seedsToRun } from '../../../../simulation/src/simulation-seeds.ts';
import { shardRequest } from '../../phases/query/memory-searcher.test-support.ts';
import type { Shard } from '../contract/shard.ts';
import { openShard } from '../lifecycle/open-shard.ts';
import {
  createTestRuntime,
  index,
  remove,
  shardOptions,
  type TestRuntime,
  update,
} from '../lifecycle/shard-fixture.test-support.ts';
import {
  acquired,
  beginFileRecovery,
  documentsOf,
  piecesOf,
  SOURCE_HISTORY,
  TARGET,
} from './file-recovery.test-support.ts';

const IDS = Array.from({ length: 40 }, (_, at) => `id-${at}`);
const stop = { isStopped: false };
const BODIES: readonly unknown[] = [
  { query: { match: { title: 'word1' } } },
  { query: { match_phrase: { title: 'word2 of' } }, sort: [{ n: 'asc' }] },
  { query: { term: { tag: 't2' } }, sort: [{ n: 'desc' }] },
  { query: { range: { n: { gte: 100 } } }, sort: [{ n: 'asc' }] },
  { query: { match_all: {} }, sort: [{ tag: 'asc' }, { n: 'asc' }] },
];

/** A few operations of every kind, and now and then what a shard does by itself. */
class Life {
  readonly #shard: Shard;
  readonly #random: SeededRandom;
  #count = 0;

  constructor(shard: Shard, random: SeededRandom) {
    this.#shard = shard;
    this.#random = random;
  }

  async step(): Promise<void> {
    const dice = this.#random.unit();
    if (dice < 0.1) await this.#shard.flush(true);
    else if (dice < 0.2) await this.#shard.refresh();
    else if (dice < 0.24) await this.#shard.forceMerge({ segmentsMax: 1, onlyExpungeDeletes: false }, true);
    const { results } = await this.#shard.write(Array.from({ length: 1 + this.#random.below(5) }, () => this.#one()));
    expect(results.errors.size).toBe(0);
    // Only this copy is in sync: what it has, all that may lead have.
    const { persistedCheckpoint } = this.#shard.history;
    this.#shard.history.retain({ globalCheckpoint: persistedCheckpoint, retainedFrom: persistedCheckpoint + 1 });
  }

  #one() {
    const id = this.#random.pick(IDS);
    const n = this.#count++;
    const source = { title: `word${n % 4} of ${n}`, tag: `t${n % 3}`, n };
    const dice = this.#random.unit();
    if (dice < 0.25) return remove(id);
    if (dice < 0.45) return update(id, { doc: { n }, upsert: source });
    return index(id, source, { routing: dice < 0.6 ? 'here' : null });
  }
}

async function foundBy(shard: Shard): Promise<readonly unknown[]> {
  await shard.refresh();
  const found: unknown[] = [];
  for (const body of BODIES) {
    const request = shardRequest({ ...(body as object), track_total_hits: true }, { keepAliveMs: 60_000, topN: 100 });
    const { contextId, ords, total } = await shard.query(request, stop);
    const hits = contextId === null ? [] : await shard.fetch({ contextId, ords, consumed: null, request: null }, stop);
    const ids = hits.map(({ id, version, seqNo, routing }) => [id, version, seqNo, routing].join(' '));
    // Scores depend on documents that were deleted and are still in segments, of which each copy has its own.
    found.push(total, 'sort' in (body as object) ? ids : ids.sort());
  }
  return found;
}

async function sendHistory(from: Shard, to: Shard, first: number): Promise<number> {
  for await (const batch of from.history.changes(first)) await to.history.apply(unpackHistory(packHistory(batch)), 1);
  return to.history.processedCheckpoint;
}

async function copyOf(from: Shard, runtime: TestRuntime, during: () => Promise<void>): Promise<Shard> {
  const commit = await acquired(from);
  const recovery = await beginFileRecovery(runtime);
  for (const { file, chunk } of piecesOf(commit.files, [])) {
    await during();
    await recovery.keepChunk(file, chunk, await from.commits.readChunk('alloc-2', file, chunk));
  }
  await during();
  expect(await recovery.install(commit, SOURCE_HISTORY)).not.toBe(null);
  const { through } = commit;
  const needs = { globalCheckpoint: through, retainedFrom: through + 1 };
  const to = await openShard(
    runtime,
    shardOptions({ path: TARGET.path, allocationId: 'alloc-2', bootstrap: 'existing', isReplica: true, needs }),
  );
  expect(to.history.processedCheckpoint).toBe(through);
  await during();
  const reached = await sendHistory(from, to, through + 1);
  from.commits.release('alloc-2');
  await during();
  // Tracked from here on: the rest is sent as it is written.
  await sendHistory(from, to, reached + 1);
  return to;
}

describe('a copy of a shard that is written to all the while', () => {
  test('has the same documents, versions and numbers, and finds the same', async () => {
    for (const seed of seedsToRun(12)) {
      const runtime = createTestRuntime(createMemoryDisk());
      const from = await openShard(runtime, shardOptions());
      const life = new Life(from, seededRandom(`recovery ${seed}`));
      for (let step = 0; step < 25; step++) await life.step();
      const to = await copyOf(from, runtime, () => life.step());
      const context = `SEED=${seed}`;
      expect(to.history.processedCheckpoint, context).toBe(from.history.maxSeqNo);
      expect(documentsOf(to, IDS), context).toEqual(documentsOf(from, IDS));
      expect(await foundBy(to), context).toEqual(await foundBy(from));
      // A copy of the copy, which leads by then.
      await to.history.lead(2);
      await to.write([index('by-the-new-one', { n: 1 })]);
      to.history.retain({ globalCheckpoint: to.history.maxSeqNo, retainedFrom: 0 });
      await to.flush(true);
      await to.close();
      const again = await openShard(
        runtime,
        shardOptions({ path: TARGET.path, allocationId: 'alloc-3', primaryTerm: 2, bootstrap: 'existing' }),
      );
      expect(documentsOf(again, IDS), context).toEqual(documentsOf(from, IDS));
      expect(documentsOf(again, ['by-the-new-one']), context).toHaveLength(1);
      await again.close();
      await from.close();
    }
  });
});
