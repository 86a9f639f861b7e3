import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SharedInstances } from '@shoal/agent-plugin-kit';
import { createNodeRuntime, createRecordingLog, createSilentLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import {
  eventOf,
  makeFilter,
  RecordedMetrics,
} from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { plain, runFilter } from '../filter-outcome.test-support.ts';
import { grokFilter } from './grok.ts';

const grok = (options: Record<string, unknown>, fields: Record<string, unknown>) =>
  runFilter(grokFilter, options, fields);

describe('grok', () => {
  test('stores captures with their types and decorates', async () => {
    const options = {
      match: { message: '%{WORD:verb} %{INT:n:int} %{NUMBER:f:float} %{NUMBER:g:float}' },
      add_tag: ['ok'],
    };
    const { outcome, event } = await grok(options, { message: 'GET 12 1.5 2' });
    expect(outcome).toBe('matched');
    expect(event).toEqual({ message: 'GET 12 1.5 2', verb: 'GET', n: 12, f: 1.5, g: 2, tags: ['ok'] });
  });
  test('definitions of one filter reach no other', async () => {
    const match = { message: '^%{INT:n}$' };
    const own = await grok({ match, pattern_definitions: { INT: '[a-f]+' } }, { message: 'abc' });
    expect([own.event.n, (await grok({ match }, { message: '12' })).event.n]).toEqual(['abc', '12']);
    expect((await grok({ match }, { message: 'abc' })).outcome).toBe('unmatched');
  });
  test('integers beyond 2^53 keep all digits', async () => {
    const filter = makeFilter(grokFilter, { match: { message: '%{INT:n:int}' } });
    const event = eventOf({ message: '9223372036854775807' });
    await filter.run(event);
    expect(event.fields.get('n')).toBe(9223372036854775807n);
  });
  test('tags what does not match, and nothing is decorated', async () => {
    const { outcome, event } = await grok(
      { match: { message: '^%{INT:n}$' }, add_field: { a: 'b' } },
      { message: 'x' },
    );
    expect([outcome, event]).toEqual(['unmatched', { message: 'x', tags: ['_grokparsefailure'] }]);
  });
  test('stops at the first pattern that matches', async () => {
    const { event } = await grok({ match: { message: ['%{INT:a}', '%{WORD:b}'] } }, { message: '5 x' });
    expect(event).toEqual({ message: '5 x', a: '5' });
  });
  test('without break_on_match the last pattern of a field decides', async () => {
    const options = { match: { message: ['%{WORD:w}', '^%{INT:n}$'] }, break_on_match: false };
    expect((await grok(options, { message: 'abc' })).event).toEqual({
      message: 'abc',
      w: 'abc',
      tags: ['_grokparsefailure'],
    });
    expect(
      (await grok({ ...options, match: { message: ['^%{INT:n}$', '%{WORD:w}'] } }, { message: 'abc' })).outcome,
    ).toBe('matched');
  });
  test('a capture into a field that is there makes an array, unless it is overwritten', async () => {
    const match = { message: 'm=%{WORD:message}' };
    expect((await grok({ match }, { message: 'm=x' })).event).toEqual({ message: ['m=x', 'x'] });
    expect((await grok({ match, overwrite: ['message'] }, { message: 'm=x' })).event).toEqual({ message: 'x' });
    expect((await grok({ match: { message: '%{INT:n}' } }, { message: '5', n: 1 })).event).toEqual({
      message: '5',
      n: 1,
    });
  });
  test('items of an array are tried one by one; a missing field is empty text', async () => {
    expect((await grok({ match: { a: '%{INT:n}' } }, { a: ['x', '5'] })).event).toEqual({ a: ['x', '5'], n: '5' });
    expect((await grok({ match: { a: '%{INT:n}' } }, {})).event).toEqual({ tags: ['_grokparsefailure'] });
    expect((await grok({ match: { a: '%{INT:n}' } }, { a: 42 })).event).toEqual({ a: 42, n: '42' });
  });
  test('empty captures are skipped unless kept', async () => {
    const match = { message: 'a=%{DATA:v};(?<o>x)?' };
    expect((await grok({ match }, { message: 'a=;' })).event).toEqual({ message: 'a=;' });
    expect((await grok({ match, keep_empty_captures: true }, { message: 'a=;' })).event).toEqual({
      message: 'a=;',
      v: '',
      o: null,
    });
  });
  test('paths, target, own definitions', async () => {
    const options = { match: { message: '%{ID:[a][id]}' }, pattern_definitions: { ID: '[a-f]+' }, target: 't' };
    expect((await grok(options, { message: 'xabc' })).event).toEqual({ message: 'xabc', t: { a: { id: 'abc' } } });
  });
  test('pattern files are read from directories', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'shoal-grok-'));
    writeFileSync(join(directory, 'mine.txt'), '# own\nORDER o-\\d+\n');
    const options = { match: { message: '%{ORDER:o}' }, patterns_dir: [directory], patterns_files_glob: '*.txt' };
    expect((await grok(options, { message: 'x o-17' })).event).toMatchObject({ o: 'o-17' });
    rmSync(directory, { recursive: true });
  });
  test('what patterns_dir holds besides patterns is said once for a pipeline, and stops nothing', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'shoal-grok-'));
    writeFileSync(join(directory, 'mine'), 'ORDER o-\\d+\nUNUSED (\n');
    writeFileSync(join(directory, 'readme.md'), '# Patterns\n\n- one\n');
    mkdirSync(join(directory, 'inner'));
    const log = createRecordingLog();
    const overrides = { runtime: createNodeRuntime({ log }), commons: new SharedInstances() };
    const options = { match: { message: '%{ORDER:o}' }, patterns_dir: [directory, join(directory, 'none')] };
    for (const _ of [1, 2])
      expect((await runFilter(grokFilter, options, { message: 'o-1' }, overrides)).event).toMatchObject({ o: 'o-1' });
    expect(log.lines.map(({ message }) => message)).toEqual([
      'lines of a pattern file define nothing',
      'patterns_dir names what cannot be read',
    ]);
    const file = { match: { message: '%{ORDER:o}' }, patterns_dir: [join(directory, 'mine')] };
    expect((await runFilter(grokFilter, file, { message: 'o-1' }, overrides)).event).toMatchObject({ o: 'o-1' });
    rmSync(directory, { recursive: true });
  });
  test('the events of a batch are matched before they come one by one, with the same outcome', async () => {
    const match = { message: ['^(?<a>[0-9]+)$', '^(?<w>\\w+\\s?)*$', '%{GREEDYDATA:rest}'] };
    const texts = ['12', 'two words', 'no words!', ''];
    const made = makeFilter(grokFilter, { match });
    const events = texts.map((message) => eventOf({ message }));
    made.filter.beforeBatch?.(events);
    for (const event of events) await made.run(event);
    expect(events.map((event) => ({ ...plain(event), '@timestamp': undefined }))).toEqual([
      { message: '12', a: '12' },
      { message: 'two words', w: 'words' },
      { message: 'no words!', rest: 'no words!' },
      { message: '', tags: undefined },
    ]);
  });
  test('a match that runs away is ended, tagged, and counted', async () => {
    const metrics = new RecordedMetrics();
    const options = { match: { message: '^(?:\\w+\\s?)*$' }, timeout_millis: 30 };
    const { event } = await runFilter(grokFilter, options, { message: `${'a'.repeat(60)}!` }, { metrics });
    expect(event.tags).toEqual(['_groktimeout']);
    expect(metrics.counters.get('timeouts')).toBe(1);
  });
  test('the time may be that of all patterns of an event', async () => {
    let now = 0;
    const runtime = createNodeRuntime({ log: createSilentLog() });
    const clock = { ...runtime.clock, wallMs: () => 0, monotonicMs: () => (now += 15) };
    const match = { message: ['%{INT:a}', '%{IP:b}', '%{WORD:c}'] };
    const run = (timeout: number, timeout_scope: string) =>
      runFilter(
        grokFilter,
        { match, timeout_millis: timeout, timeout_scope },
        { message: 'word' },
        { runtime: { ...runtime, clock } },
      );
    expect((await run(40, 'event')).event).toEqual({ message: 'word', tags: ['_groktimeout'] });
    expect((await run(60, 'event')).event).toEqual({ message: 'word', c: 'word' });
    expect((await run(40, 'pattern')).event).toEqual({ message: 'word', c: 'word' });
    const slow = { match: { message: '^(?:\\w+\\s?)*$' }, timeout_millis: 30, timeout_scope: 'event' };
    expect((await grok(slow, { message: `${'a'.repeat(60)}!` })).event.tags).toEqual(['_groktimeout']);
  });
  test('under ECS the parts have its names and types', async () => {
    const line = '192.0.2.1 - ann [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 17 "-" "curl/8"';
    const { event } = await runFilter(
      grokFilter,
      { match: { message: '%{COMBINEDAPACHELOG}' }, remove_field: ['message'] },
      { message: line },
      { ecs: 'v8' },
    );
    expect(event).toEqual({
      source: { address: '192.0.2.1' },
      user: { name: 'ann' },
      timestamp: '17/May/2015:10:05:03 +0000',
      http: { request: { method: 'GET' }, response: { status_code: 200, body: { bytes: 17 } }, version: '1.1' },
      url: { original: '/a' },
      user_agent: { original: 'curl/8' },
    });
  });
  test('captures may go into the metadata', async () => {
    const filter = makeFilter(grokFilter, { match: { message: '%{INT:[@metadata][a][n]:int}' } });
    const event = eventOf({ message: '7' });
    await filter.run(event);
    expect(event.metadata.get('a')).toEqual(new Map([['n', 7]]));
  });
  test('counts matches and failures and says how many patterns a field has', async () => {
    const metrics = new RecordedMetrics();
    const filter = makeFilter(grokFilter, { match: { message: ['%{INT:n}', '%{IP:i}'], b: '%{WORD:w}' } }, { metrics });
    await filter.run(eventOf({ message: '1' }));
    await filter.run(eventOf({ message: 'x' }));
    expect(Object.fromEntries(metrics.counters)).toEqual({ matches: 1, failures: 1 });
    expect(metrics.gauges.get('patterns_per_field')).toEqual({ message: 2, b: 1 });
  });
  test('an unknown pattern is refused at start', () => {
    expect(() => makeFilter(grokFilter, { match: { message: '%{NOPE}' } })).toThrow('pattern %{NOPE} not defined');
  });
});
