import { searchRequest } from '@shoal/query';
import type { Clock, Log } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { IndexingSlowLog } from './indexing-slow-log.ts';
import { SearchSlowLog } from './search-slow-log.ts';

const shard = { index: 'lib', indexUuid: 'u', number: 2 };

function recorder(): { readonly lines: unknown[][]; readonly log: Log } {
  const lines: unknown[][] = [];
  const at =
    (level: string) =>
    (...line: unknown[]): void =>
      void lines.push([level, ...line]);
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), child: () => log };
  return { lines, log };
}

test('a search is logged once, under the loudest threshold that it reaches', () => {
  const { lines, log } = recorder();
  const request = searchRequest({ size: 3 });
  const slowLog = new SearchSlowLog(log, shard, {
    'index.search.slowlog.threshold.query.warn': '1s',
    'index.search.slowlog.threshold.query.trace': '10ms',
    'index.search.slowlog.threshold.fetch.info': '-1',
  });
  for (const ms of [5, 10, 999, 1_000]) slowLog.queried(ms, request);
  slowLog.fetched(5_000, request);
  const fields = { index: 'lib', shard: 2, from: 0, size: 3, query: '{"kind":"matchAll","boost":1,"name":null}' };
  expect(lines).toEqual([
    ['info', 'slow query phase', { 'slowlog.level': 'trace', ...fields, tookMs: 10 }],
    ['info', 'slow query phase', { 'slowlog.level': 'trace', ...fields, tookMs: 999 }],
    ['warn', 'slow query phase', { 'slowlog.level': 'warn', ...fields, tookMs: 1_000 }],
  ]);
  slowLog.updateSettings({ 'index.search.slowlog.threshold.fetch.info': '0ms' });
  slowLog.queried(5_000, request);
  slowLog.fetched(0, request);
  expect(lines.slice(3).map(([, message]) => message)).toEqual(['slow fetch phase']);
});

test.each([
  [{}, '{"a":"x","b":1}'],
  [{ 'index.indexing.slowlog.reformat': 'false' }, '{"a":"x",\n"b":1}'],
  [{ 'index.indexing.slowlog.source': '7' }, '{"a":"x'],
  [{ 'index.indexing.slowlog.source': 'false' }, undefined],
])('a slow write shows of its document what %j say', (settings, source) => {
  const { lines, log } = recorder();
  let nowMs = 0;
  const clock: Clock = { wallMs: () => nowMs, monotonicMs: () => nowMs };
  const slowLog = new IndexingSlowLog(
    { log, clock, shard },
    { 'index.indexing.slowlog.threshold.index.debug': '20ms', ...settings },
  );
  const conditions = { ifSeqNo: null, ifPrimaryTerm: null, version: null, versionType: 'internal' } as const;
  const bytes = new TextEncoder().encode('{"a":"x",\n"b":1}');
  const write = { kind: 'update', id: '7', routing: 'r', body: bytes, conditions } as const;
  expect(slowLog.during(write, () => 'written')).toBe('written');
  slowLog.during(write, () => void (nowMs += 25));
  const fields = { index: 'lib', shard: 2, tookMs: 25, id: '7', routing: 'r' };
  expect(lines).toEqual([
    ['info', 'slow write', { 'slowlog.level': 'debug', ...fields, ...(source === undefined ? {} : { source }) }],
  ]);
});
