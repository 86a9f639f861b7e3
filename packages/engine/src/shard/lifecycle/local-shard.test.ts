import { createMemoryDisk } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { shardRequest } from '../../phases/query/memory-searcher.test-support.ts';
import { CrashDisk } from './crash-disk.test-support.ts';
import {
  createTestRuntime,
  index,
  NO_CONDITIONS,
  openTestShard,
  remove,
  shown,
  sourceOf,
  update,
  writeOne,
} from './shard-fixture.test-support.ts';

const open = () => openTestShard(createTestRuntime(createMemoryDisk()));

describe('writing', () => {
  test('gives versions and sequence numbers, with the errors of a bulk', async () => {
    const shard = await open();
    const { results } = await shard.write([
      index('1', { title: 'The quick brown fox', n: 1 }),
      index('2', { n: 2 }),
      index('1', { title: 'again' }, { opType: 'create' }),
      update('9', { doc: { n: 3 } }),
      index('3', { n: 'not a number' }),
      remove('77'),
      index('4', { n: 4 }),
      index('4', { n: 5 }),
      remove('2'),
    ]);
    expect(results.map(shown)).toEqual([
      'created',
      'created',
      'version_conflict_engine_exception: [1]: version conflict, document already exists (current version [1])',
      'document_missing_exception: [9]: document missing',
      "mapper_parsing_exception: failed to parse field [n] of type [long] in document with id '3'. Preview of field's value: 'not a number'",
      'not_found',
      'created',
      'updated',
      'deleted',
    ]);
    expect(results.at(4)).toMatchObject({ error: { causedBy: { reason: 'For input string: "not a number"' } } });
    expect(results.map((r) => (r.kind === 'done' ? [r.seqNo, r.version] : null))).toEqual([
      [0, 1],
      [1, 1],
      null,
      null,
      null,
      [2, 1],
      [3, 1],
      [4, 2],
      [5, 2],
    ]);
    await shard.close();
  });

  test('is read back at once by id, and seen by searches after a refresh', async () => {
    const shard = await open();
    await shard.write([index('1', '{"n": 1}')]);
    expect(sourceOf(shard, '1')).toBe('{"n": 1}');
    expect(sourceOf(shard, '1', false)).toBe(null);
    await shard.refresh();
    expect(sourceOf(shard, '1', false)).toBe('{"n": 1}');
    await shard.write([index('1', '{"n": 2}'), remove('x')]);
    expect([sourceOf(shard, '1'), sourceOf(shard, '1', false)]).toEqual(['{"n": 2}', '{"n": 1}']);
    await shard.refresh();
    expect(sourceOf(shard, '1', false)).toBe('{"n": 2}');
    expect(shard.stats()).toMatchObject({ docCount: 1, maxSeqNo: 2, indexTotal: 2, deleteTotal: 1 });
    await shard.close();
  });

  test('asks once for all new fields of the remaining operations', async () => {
    const shard = await open();
    const operations = [
      index('1', { n: 1 }),
      index('2', { a: 'x', b: { c: 1.0 } }),
      index('3', '{"d": 1.0, "e": true, "a": 5}'),
    ];
    const outcome = await shard.write(operations);
    expect(outcome.results.map(shown)).toEqual(['created']);
    const text = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } };
    expect(outcome.mappingUpdate).toEqual({
      properties: { a: text, b: { properties: { c: { type: 'long' } } }, d: { type: 'float' }, e: { type: 'boolean' } },
    });
    await shard.close();
  });

  test.each([
    [
      { ifSeqNo: 5, ifPrimaryTerm: 1 },
      'required seqNo [5], primary term [1]. current document has seqNo [0] and primary term [1]',
    ],
    [
      { version: 1, versionType: 'external' as const },
      'current version [1] is higher or equal to the one provided [1]',
    ],
    [{ version: 0, versionType: 'external_gte' as const }, 'current version [1] is higher than the one provided [0]'],
    [{ version: 7 }, 'current version [1] is different than the one provided [7]'],
  ])('under the condition %j is refused', async (conditions, reason) => {
    const shard = await open();
    await shard.write([index('1', { n: 1 })]);
    const { results } = await shard.write([index('1', { n: 2 }, { conditions: { ...NO_CONDITIONS, ...conditions } })]);
    expect(shown(results.at(0))).toBe(`version_conflict_engine_exception: [1]: version conflict, ${reason}`);
    await shard.close();
  });

  test('a deleted document keeps its version until deletes are forgotten', async () => {
    const runtime = createTestRuntime(createMemoryDisk());
    const shard = await openTestShard(runtime);
    await shard.write([index('1', {}), remove('1')]);
    expect(await writeOne(shard, index('1', {}))).toMatchObject({ version: 3, result: 'created' });
    await shard.write([remove('1')]);
    await runtime.advance(61_000);
    await shard.refresh();
    expect(await writeOne(shard, index('1', {}))).toMatchObject({ version: 1 });
    await shard.close();
  });

  test('by a script changes, deletes or leaves the document, and may make it', async () => {
    const shard = await open();
    await shard.write([index('1', '{"n":1,"tag":["a"]}')]);
    const changed = { source: 'ctx._source.n += params.by; ctx._source.tag.add(ctx._id)', params: { by: 2 } };
    expect(await writeOne(shard, update('1', { script: changed }))).toMatchObject({ result: 'updated', version: 2 });
    expect(sourceOf(shard, '1')).toBe('{"n":3,"tag":["a","1"]}');
    expect(await writeOne(shard, update('1', { script: "ctx.op = 'none'" }))).toMatchObject({
      result: 'noop',
      version: 2,
    });
    expect(await writeOne(shard, update('1', { script: "ctx.op = 'delete'" }))).toMatchObject({ result: 'deleted' });
    const upsert = { script: 'ctx._source.tag = ctx.op', upsert: { n: 1 } };
    expect(await writeOne(shard, update('2', upsert))).toMatchObject({ result: 'created' });
    expect(sourceOf(shard, '2')).toBe('{"n":1}');
    await writeOne(shard, update('3', { ...upsert, scripted_upsert: true }));
    expect(sourceOf(shard, '3')).toBe('{"n":1,"tag":"create"}');
    const none = { script: "ctx.op = 'none'", upsert: {}, scripted_upsert: true };
    expect(await writeOne(shard, update('4', none))).toMatchObject({ result: 'noop', version: -1 });
    await shard.close();
  });

  test('by a script may bring fields that are new', async () => {
    const shard = await open();
    await shard.write([index('1', '{"n":1}')]);
    const { results, mappingUpdate } = await shard.write([
      update('1', { script: "ctx._source.added = 'x'; ctx._source.o = ['p': 1.5]" }),
      index('2', '{"later":true}'),
    ]);
    expect(results.length).toBe(0);
    const text = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } };
    expect(mappingUpdate).toEqual({
      properties: { added: text, o: { properties: { p: { type: 'float' } } }, later: { type: 'boolean' } },
    });
    await shard.close();
  });

  test.each([
    [{ script: 'x' }, 'failed to execute script'],
    [{ script: { id: 'x' } }, 'failed to execute script'],
    [{ script: { source: 'x', lang: 'foo' } }, 'failed to execute script'],
    [{ script: 'ctx._source.self = ctx._source' }, 'Iterable object is self-referencing itself'],
    [{ script: { source: 'x', bogus: 1 } }, '[1:11] [UpdateRequest] failed to parse field [script]'],
    [{ script: 1 }, "[1:11] [UpdateRequest] script doesn't support values of type: VALUE_NUMBER"],
    [{ script: 'x', doc: {} }, "Validation Failed: 1: can't provide both script and doc;"],
    [{ script: 'x', doc_as_upsert: true }, 'Validation Failed: 1: doc must be specified if doc_as_upsert is enabled;'],
  ])('refuses %j', async (body, reason) => {
    const shard = await open();
    await shard.write([index('1', '{"n":1}')]);
    expect(shown(await writeOne(shard, update('1', body)))).toContain(reason);
    await shard.close();
  });
});

describe('an update', () => {
  test('merges, knows a noop, and upserts', async () => {
    const shard = await open();
    await shard.write([index('1', '{"n":9223372036854775807,"tag":["a"]}')]);
    expect(await writeOne(shard, update('1', { doc: { tag: ['b'] } }))).toMatchObject({
      result: 'updated',
      version: 2,
    });
    expect(sourceOf(shard, '1')).toBe('{"n":9223372036854775807,"tag":["b"]}');
    expect(await writeOne(shard, update('1', { doc: { tag: ['b'] } }))).toMatchObject({ result: 'noop', version: 2 });
    expect(await writeOne(shard, update('2', { doc: { n: 1 }, doc_as_upsert: true }))).toMatchObject({
      result: 'created',
    });
    expect(await writeOne(shard, update('3', { doc: { n: 1 }, upsert: { n: 5 } }))).toMatchObject({
      result: 'created',
    });
    expect(sourceOf(shard, '3')).toBe('{"n":5}');
    expect(shown(await writeOne(shard, update('1', { dac: {} })))).toContain(
      '[1:2] [UpdateRequest] unknown field [dac] did you mean [doc]?',
    );
    await shard.close();
  });
});

describe('a term that is too long for an index', () => {
  const settings = {
    'index.analysis.analyzer.whole.type': 'keyword',
    'index.analysis.analyzer.long.type': 'standard',
    'index.analysis.analyzer.long.max_token_length': '40000',
  };
  const mapping = {
    properties: { a: { type: 'text', analyzer: 'whole' }, b: { type: 'text', analyzer: 'long' }, n: { type: 'long' } },
  };
  const immense = 'x'.repeat(32_767);

  test.each(['a', 'b'])('refuses the document with text of [%s], and leaves no trace of it', async (field) => {
    const shard = await openTestShard(createTestRuntime(createMemoryDisk()), { settings, mapping });
    await shard.write([index('1', { n: 1 })]);
    const { results } = await shard.write([index('1', { [field]: `${immense}` }), index('2', { n: 2 })]);
    expect(shown(results.at(0))).toContain(
      `illegal_argument_exception: Document contains at least one immense term in field="${field}"`,
    );
    expect(shown(results.at(1))).toBe('created');
    await shard.refresh();
    expect(sourceOf(shard, '1')).toBe('{"n":1}');
    expect(shard.stats()).toMatchObject({ docCount: 2, maxSeqNo: 1, indexFailed: 1 });
    const fits = await shard.write([index('3', { [field]: immense.slice(1) })]);
    expect(shown(fits.results.at(0))).toBe('created');
    await shard.close();
  });
});

describe('the clock', () => {
  test('refreshes each second while somebody searches, and leaves an idle shard alone', async () => {
    const runtime = createTestRuntime(createMemoryDisk());
    const shard = await openTestShard(runtime);
    await shard.write([index('1', {})]);
    await runtime.advance(1_000);
    expect(shard.stats().docCount).toBe(1);
    await runtime.advance(31_000);
    await shard.write([index('2', {})]);
    await runtime.advance(1_000);
    expect(shard.stats().docCount).toBe(1);
    await shard.query(shardRequest({}, { topN: 0, keepAliveMs: 0 }), { isStopped: false });
    expect(shard.stats().docCount).toBe(2);
    await shard.close();
  });

  test('merges small segments by the settings of the index, and drops deleted documents', async () => {
    const runtime = createTestRuntime(createMemoryDisk());
    const shard = await openTestShard(runtime);
    for (let i = 0; i < 12; i++) {
      await shard.write([index(`${i}`, { n: i, title: `common word${i}` }), index('same', { n: i })]);
      await shard.refresh();
    }
    await runtime.advance(1_000);
    expect(shard.stats()).toMatchObject({ docCount: 13, segmentCount: 3, deletedCount: 1, mergeTotal: 1 });
    shard.updateSettings({
      'index.merge.policy.segments_per_tier': '2',
      'index.merge.policy.deletes_pct_allowed': '5',
    });
    await runtime.advance(1_000);
    expect(shard.stats()).toMatchObject({ docCount: 13, segmentCount: 2, deletedCount: 0 });
    expect(sourceOf(shard, '7', false)).toBe('{"n":7,"title":"common word7"}');
    expect(sourceOf(shard, 'same', false)).toBe('{"n":11}');
    await shard.close();
  });
});

describe('a flush', () => {
  test('without changes commits only when it is forced', async () => {
    const shard = await openTestShard(createTestRuntime(createMemoryDisk()));
    await shard.flush(false);
    expect(shard.stats()).toMatchObject({ flushTotal: 0 });
    await shard.flush(true);
    expect(shard.stats()).toMatchObject({ flushTotal: 1, segmentCount: 0 });
    await shard.close();
  });

  test('leaves its marker in the commit, through restarts, until the next commit', async () => {
    const disk = createMemoryDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    await shard.write([index('1', {})]);
    await shard.flush(false, 'first');
    expect(shard.commit).toMatchObject({ syncId: 'first', committedSeqNo: 0 });
    await shard.flush(false, 'second');
    expect(shard.commit.syncId).toBe('first');
    await shard.close();
    const opened = await openTestShard(createTestRuntime(disk), { bootstrap: 'existing', allocationId: 'alloc-2' });
    expect(opened.commit.syncId).toBe('first');
    await opened.write([index('2', {})]);
    await opened.flush(false);
    expect(opened.commit).toMatchObject({ syncId: null, committedSeqNo: 1 });
    await opened.flush(false, 'third');
    expect(opened.commit.syncId).toBe('third');
    await opened.close();
  });

  test('makes segments that are counted, seen by searches or not', async () => {
    const shard = await openTestShard(createTestRuntime(createMemoryDisk()));
    await shard.write([index('1', {})]);
    await shard.flush(false);
    expect(shard.stats()).toMatchObject({ segmentCount: 1, docCount: 0 });
    await shard.close();
  });
});

describe('a restart', () => {
  test('finds everything again, flushed or not', async () => {
    const disk = createMemoryDisk();
    const first = await openTestShard(createTestRuntime(disk));
    await first.write([index('1', { n: 1 }, { routing: 'r' }), index('2', { n: 2 })]);
    await first.flush(false);
    expect(first.stats()).toMatchObject({ translogOperations: 0, flushTotal: 1 });
    await first.write([index('3', { n: 3 }), remove('2')]);
    // Not closed: as after a kill.
    const second = await openTestShard(createTestRuntime(disk), { bootstrap: 'existing', allocationId: 'alloc-2' });
    expect([sourceOf(second, '1', false), sourceOf(second, '2'), sourceOf(second, '3')]).toEqual([
      '{"n":1}',
      null,
      '{"n":3}',
    ]);
    expect(second.get({ id: '1', realtime: true })).toMatchObject({ routing: 'r', seqNo: 0, version: 1 });
    expect(await writeOne(second, index('4', {}))).toMatchObject({ seqNo: 4 });
    await second.close();
    const third = await openTestShard(createTestRuntime(disk), { bootstrap: 'existing' });
    expect(third.stats()).toMatchObject({ docCount: 3, maxSeqNo: 4, translogOperations: 0 });
    await third.close();
  });

  test('refuses the folder of another index, or of none', async () => {
    const disk = createMemoryDisk();
    await (await openTestShard(createTestRuntime(disk))).close();
    const runtime = createTestRuntime(disk);
    await expect(openTestShard(runtime)).rejects.toThrow('already holds a shard of index [uuid-1]');
    const other = { index: 'lib', indexUuid: 'uuid-2', number: 0 };
    await expect(openTestShard(runtime, { bootstrap: 'existing', shard: other })).rejects.toThrow('not of [uuid-2]');
    await expect(openTestShard(runtime, { bootstrap: 'existing', path: 'data/x' })).rejects.toThrow('holds no shard');
  });
});

describe('a disk', () => {
  test('that is full for a flush keeps the shard writing, and the flush is done later', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    await shard.write([index('1', { n: 1, title: 'long '.repeat(20_000) })]);
    disk.capacityBytes = disk.usedBytes + 600;
    await expect(shard.flush(false)).rejects.toMatchObject({ type: 'flush_failed_engine_exception', status: 503 });
    disk.capacityBytes = Number.POSITIVE_INFINITY;
    expect(shown(await writeOne(shard, index('2', { n: 2 })))).toBe('created');
    const meanwhile = await openTestShard(createTestRuntime(disk.crash(() => 0)), { bootstrap: 'existing' });
    expect(meanwhile.stats()).toMatchObject({ docCount: 2, maxSeqNo: 1 });
    await shard.flush(false);
    const later = await openTestShard(createTestRuntime(disk.crash(() => 0)), { bootstrap: 'existing' });
    expect(later.stats()).toMatchObject({ docCount: 2, translogOperations: 0 });
    await shard.close();
  });

  test('that fails a sync ends the shard for writes', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    await shard.write([index('1', { n: 1 })]);
    disk.syncFailure = () => 'io';
    expect(shown((await shard.write([index('2', { n: 2 })])).results.at(0))).toContain('translog_exception');
    disk.syncFailure = () => null;
    await expect(shard.write([index('3', { n: 3 })])).rejects.toThrow('failed to write to the translog');
    expect(sourceOf(shard, '1')).toBe('{"n":1}');
    await shard.close();
  });
});
