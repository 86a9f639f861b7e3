import { ByteSink } from '@shoal/core';
import { createMemoryDisk, createRecordingLog } from '@shoal/runtime';
import { RequestToken } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { sealContent } from './durable-file.ts';
import { RecentWrites } from './recent-writes.ts';
import { knownRecentWrites, writeRecentWrites } from './recent-writes-file.ts';
import type { RecentWrite } from './request-runs.ts';

const token = (count: number): RequestToken => new RequestToken([7, 8, count]);
const write = (request: number, position: number, seqNo: number, parts: Partial<RecentWrite> = {}): RecentWrite => ({
  ...{ token: token(request), position, seqNo, version: 1, primaryTerm: 1, result: 'created' },
  ...parts,
});
const minutes = (count: number): number => count * 60_000;

function remembered(...writes: readonly RecentWrite[]): RecentWrites {
  const recent = new RecentWrites();
  for (const one of writes) recent.remember(one);
  return recent;
}

describe('recent writes', () => {
  test('are found by their request and the position in it', () => {
    const recent = remembered(write(1, 0, 5), write(2, 0, 6), write(1, 1, 7, { result: 'updated', version: 4 }));
    const found = { kind: 'done', primaryTerm: 1, source: null };
    expect(recent.find(token(1), 0)).toEqual({ ...found, seqNo: 5, result: 'created', version: 1 });
    expect(recent.find(token(1), 1)).toEqual({ ...found, seqNo: 7, result: 'updated', version: 4 });
    expect(recent.find(token(1), 2)).toBe(null);
    expect(recent.find(token(3), 0)).toBe(null);
  });

  test('of one request are one run as long as only their numbers grow', () => {
    const writes = Array.from({ length: 1_000 }, (_, at) => write(1, at, 50 + at));
    const recent = remembered(...writes, write(1, 1_000, 1_051), write(1, 1_001, 1_052, { version: 2 }));
    expect(recent.all().map(({ position, count }) => [position, count])).toEqual([
      [0, 1_000],
      [1_000, 1],
      [1_001, 1],
    ]);
    expect(recent.find(token(1), 999)).toMatchObject({ seqNo: 1_049 });
  });

  test('that were executed again under another number count as the second ones', () => {
    const recent = remembered(write(1, 0, 5), write(1, 1, 6), write(1, 0, 5, { primaryTerm: 2 }));
    expect(recent.find(token(1), 0)).toMatchObject({ seqNo: 5, primaryTerm: 2 });
    expect(recent.find(token(1), 1)).toMatchObject({ seqNo: 6, primaryTerm: 1 });
  });

  test('above a number are forgotten with what was taken back', () => {
    const recent = remembered(...[0, 1, 2, 3].map((at) => write(1, at, 10 + at)), write(2, 0, 14));
    recent.forgetAbove(11);
    expect([0, 1, 2, 3].map((at) => recent.find(token(1), at)?.seqNo ?? null)).toEqual([10, 11, null, null]);
    expect(recent.find(token(2), 0)).toBe(null);
    recent.remember(write(1, 2, 12, { primaryTerm: 2 }));
    expect(recent.find(token(1), 2)).toMatchObject({ seqNo: 12, primaryTerm: 2 });
  });

  test('are thousands at least, and not more and more of them', () => {
    const recent = new RecentWrites();
    for (let at = 0; at < 50_000; at++) recent.remember(write(at + 1, 0, at));
    expect(recent.find(token(50_000 - 4_000), 0)).toMatchObject({ seqNo: 50_000 - 4_001 });
    expect(recent.find(token(1), 0)).toBe(null);
    expect(recent.all().length).toBeLessThan(20_000);
  });

  test('are forgotten when nothing came for long', () => {
    const recent = remembered(write(1, 0, 5));
    recent.forgetOld(minutes(100));
    recent.forgetOld(minutes(109));
    recent.remember(write(2, 0, 6));
    recent.forgetOld(minutes(112));
    recent.forgetOld(minutes(121));
    expect(recent.find(token(1), 0)).toMatchObject({ seqNo: 5 });
    recent.forgetOld(minutes(123));
    expect(recent.all()).toEqual([]);
    expect(recent.find(token(2), 0)).toBe(null);
  });
});

describe('the file of recent writes', () => {
  test('has them as they were', async () => {
    const runtime = { disk: createMemoryDisk(), log: createRecordingLog() };
    const recent = remembered(
      ...[0, 1, 2].map((at) => write(1, at, 10 + at)),
      write(2, 4_000, 14, { result: 'deleted' }),
    );
    await runtime.disk.mkdir('s/_state');
    await writeRecentWrites(runtime.disk, 's', recent.all());
    const again = new RecentWrites();
    again.restore(await knownRecentWrites(runtime, 's'));
    expect(again.unkept).toBe(0);
    expect(again.all()).toEqual(recent.all());
    expect(again.find(token(1), 2)).toEqual(recent.find(token(1), 2));
  });

  test('of an older version is read: it named every operation by a text', async () => {
    const runtime = { disk: createMemoryDisk(), log: createRecordingLog() };
    const sink = new ByteSink();
    sink.u32(1);
    sink.text('7.8.1.3');
    sink.u8(2);
    for (const number of [4, 20, 2]) sink.f64(number);
    await runtime.disk.mkdir('s/_state');
    const file = await runtime.disk.open('s/_state/recent-writes.st', 'create');
    await file.write(sealContent('SHOALRECENT', 1, sink.written()), 0);
    await file.close();
    const recent = new RecentWrites();
    recent.restore(await knownRecentWrites(runtime, 's'));
    expect(recent.find(token(1), 3)).toMatchObject({ result: 'deleted', version: 4, seqNo: 20, primaryTerm: 2 });
  });
});
