import { createAnalyzers } from '@shoal/analysis';
import { createMemoryDisk, ThreadTurns } from '@shoal/runtime';
import { parseMapping } from '@shoal/schema';
import { describe, expect, test } from 'vitest';
import { DocumentParser } from '../../document/document-parser.ts';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { SegmentBuffer } from '../../write/buffer/segment-buffer.ts';
import { openShard } from '../lifecycle/open-shard.ts';
import { createTestRuntime, index, remove, shardOptions, shown } from '../lifecycle/shard-fixture.test-support.ts';
import { EAGER, mergeFilesOn } from '../maintenance/merge-files.test-support.ts';
import { SegmentMerging } from '../maintenance/segment-merging.ts';
import { SegmentSet, SegmentState } from './segment-set.ts';

const DOCS = 200;
const newMemory = () => createSegmentMemory({ bytesMax: 2 ** 31 });
const analyzers = createAnalyzers({});
const parser = new DocumentParser(parseMapping({ properties: { title: { type: 'text' } } }));

function addSegment(segments: SegmentSet, number: number): SegmentState {
  const buffer = new SegmentBuffer((name) => analyzers.get(name)!);
  for (let i = 0; i < DOCS; i++) {
    const source = Buffer.from(`{"title":"a${i % 3} b${i}"}`);
    const id = `${number}-${i}`;
    buffer.add(id, null, source, { version: 1, seqNo: 0, primaryTerm: 1 }, parser.parse(id, source).document);
  }
  const state = new SegmentState(buffer.seal(`_${number}`, segments.memory), null);
  segments.add(state);
  return state;
}

describe('the memory of a segment', () => {
  test('stays as long as a searcher is held, through a merge, and is free then', async () => {
    const memory = newMemory();
    const segments = new SegmentSet(memory);
    const { clock, sched } = createTestRuntime(createMemoryDisk());
    for (let number = 0; number < 8; number++) addSegment(segments, number);
    segments.publish();
    const before = memory.usedBytes;
    const searcher = segments.acquire();
    let next = 8;
    await new SegmentMerging({
      runtime: { clock, sched },
      turns: new ThreadTurns(sched),
      segments,
      takeName: () => `_${next++}`,
      settings: () => EAGER,
      files: mergeFilesOn(createMemoryDisk()),
    }).run();
    expect([segments.states.length, segments.searcher.views.length]).toEqual([1, 1]);
    // The merged one is in its file; of the others nothing is given up.
    expect(memory.usedBytes).toBe(before);
    expect(searcher.views.map(({ segment }) => segment.id(7))).toEqual(
      Array.from({ length: 8 }, (_, number) => `${number}-7`),
    );
    segments.release(searcher);
    expect(memory.usedBytes).toBeLessThan(before);
    expect(() => segments.release(searcher)).toThrow('was freed already');
    segments.close();
    expect(memory.usedBytes).toBe(0);
  });

  test('is free when its last document is deleted and shown to be', () => {
    const memory = newMemory();
    const segments = new SegmentSet(memory);
    const state = addSegment(segments, 0);
    segments.publish();
    for (let doc = 0; doc < DOCS; doc++) state.kill(doc);
    expect(memory.usedBytes).toBeGreaterThan(0);
    segments.publish();
    expect(memory.usedBytes).toBe(0);
  });

  test('is given back by a shard that is closed, and taken again by the next to open it', async () => {
    const memory = newMemory();
    const runtime = createTestRuntime(createMemoryDisk());
    const shard = await openShard(runtime, shardOptions(), memory);
    for (let i = 0; i < 20; i++) {
      await shard.write([index(`${i}`, { title: `word${i % 3}` }), remove(`${i - 1}`)]);
      await shard.refresh();
    }
    expect(memory.usedBytes).toBeGreaterThan(0);
    await shard.flush(true);
    expect(memory.usedBytes).toBe(0);
    await shard.close();
    expect(memory.usedBytes).toBe(0);
    const again = await openShard(runtime, shardOptions({ bootstrap: 'existing', allocationId: 'alloc-2' }), memory);
    expect(again.stats().docCount).toBe(1);
    expect(memory.usedBytes).toBe(0);
    expect(again.get({ id: '19', realtime: true })).not.toBeNull();
    expect(memory.usedBytes).toBeGreaterThan(0);
    await again.close();
    expect(memory.usedBytes).toBe(0);
  });
});

test('a write that would pass the limit of the memory is refused with 429', async () => {
  const memory = createSegmentMemory({ bytesMax: 1_000 });
  const shard = await openShard(createTestRuntime(createMemoryDisk()), shardOptions(), memory);
  const { results } = await shard.write([index('1', { title: 'x'.repeat(2_000) })]);
  expect(shown(results.at(0))).toContain('circuit_breaking_exception: [segments] Data too large');
  expect((await shard.write([index('1', { title: 'x' })])).results.at(0)).toMatchObject({ kind: 'done' });
  await shard.close();
});
