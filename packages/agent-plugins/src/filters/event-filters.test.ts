import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PluginCommons } from '@shoal/agent-plugin-kit';
import { createNodeRuntime, createSilentLog, type Runtime } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { eventOf, makeFilter } from '../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { aggregateFilter } from './aggregate/aggregate.ts';
import { cloneFilter } from './clone/clone.ts';
import { deDotFilter } from './de-dot/de-dot.ts';
import { dropFilter } from './drop/drop.ts';
import { elapsedFilter } from './elapsed/elapsed.ts';
import { filterPlugins } from './filter-list.ts';
import { plain, runFilter } from './filter-outcome.test-support.ts';
import { javascriptFilter } from './javascript/javascript.ts';
import { metricsFilter } from './metrics/metrics.ts';
import { pruneFilter } from './prune/prune.ts';
import { rubyFilter } from './ruby/ruby.ts';
import { sleepFilter } from './sleep/sleep.ts';
import { throttleFilter } from './throttle/throttle.ts';
import { truncateFilter } from './truncate/truncate.ts';
import { urldecodeFilter } from './urldecode/urldecode.ts';
import { uuidFilter } from './uuid/uuid.ts';

const base = createNodeRuntime({ log: createSilentLog() });

/** A runtime whose clock stands still until it is moved. */
function withClock(): { readonly runtime: Runtime; now: number } {
  const state = { now: 0 };
  const clock = { monotonicMs: () => state.now, wallMs: () => 1_767_323_045_000 + state.now };
  return Object.assign(state, { runtime: { ...base, clock } });
}

test('the list names every filter once', () => {
  const names = filterPlugins.map((plugin) => plugin.name);
  expect(new Set(names).size).toBe(names.length);
  expect(filterPlugins.every((plugin) => plugin.kind === 'filter')).toBe(true);
});

test('drop takes all events, or none at 0 percent', async () => {
  expect((await runFilter(dropFilter, {}, { a: 1 })).events).toEqual([]);
  expect((await runFilter(dropFilter, { percentage: 0 }, { a: 1 })).events).toEqual([{ a: 1 }]);
});

test('clone decorates the copies only', async () => {
  const { events } = await runFilter(cloneFilter, { clones: ['x', 'y'], add_field: { c: '1' } }, { a: 1 });
  expect(events).toEqual([{ a: 1 }, { a: 1, type: 'x', c: '1' }, { a: 1, type: 'y', c: '1' }]);
  const ecs = await runFilter(cloneFilter, { clones: ['x'] }, { a: 1 }, { ecs: 'v8' });
  expect(ecs.events[1]).toEqual({ a: 1, tags: ['x'] });
});

test('urldecode leaves plus signs alone and tags what is no text', async () => {
  expect((await runFilter(urldecodeFilter, {}, { message: 'a%20b+%C3%A9%' })).event).toEqual({ message: 'a b+é%' });
  expect((await runFilter(urldecodeFilter, { all_fields: true }, { a: '%41', b: ['%42'] })).event).toEqual({
    a: 'A',
    b: ['B'],
  });
  expect((await runFilter(urldecodeFilter, {}, { message: '%FF' })).event.tags).toEqual(['_urldecodefailure']);
});

test('uuid keeps what is there unless told', async () => {
  expect((await runFilter(uuidFilter, { target: 'id' }, { id: 'x' })).event).toEqual({ id: 'x' });
  expect((await runFilter(uuidFilter, { target: 'id', overwrite: true }, { id: 'x' })).event.id).toMatch(
    /^[0-9a-f-]{36}$/,
  );
});

test('prune by names and values', async () => {
  const prune = async (options: Record<string, unknown>) =>
    (await runFilter(pruneFilter, options, { ab: 'x', abc: ['x', 'y'], d: 5, '%{e}': 1 })).event;
  expect(await prune({})).toEqual({ ab: 'x', abc: ['x', 'y'], d: 5 });
  expect(await prune({ whitelist_names: ['^ab$'] })).toEqual({ ab: 'x' });
  expect(await prune({ blacklist_names: ['ab'] })).toEqual({ d: 5, '%{e}': 1 });
  expect(await prune({ whitelist_values: { abc: ['x'] }, blacklist_values: { d: ['5'] } })).toEqual({
    ab: 'x',
    abc: ['x'],
  });
});

test('truncate never cuts a character', async () => {
  expect((await runFilter(truncateFilter, { length_bytes: 4 }, { a: 'aéé', b: ['abcdef'] })).event).toEqual({
    a: 'aé',
    b: ['abcd'],
  });
  expect((await runFilter(truncateFilter, { length_bytes: 1, fields: ['a'] }, { a: 'xy', b: 'xy' })).event).toEqual({
    a: 'x',
    b: 'xy',
  });
});

test('de_dot renames or nests', async () => {
  expect((await runFilter(deDotFilter, {}, { 'a.b': 1, c: 2 })).event).toEqual({ a_b: 1, c: 2 });
  expect((await runFilter(deDotFilter, { nested: true }, { 'a.b': 1 })).event).toEqual({ a: { b: 1 } });
  expect((await runFilter(deDotFilter, { recursive: true }, { a: { 'b.c': 1 } })).event).toEqual({ a: { b_c: 1 } });
});

test('sleep waits by the scheduler', async () => {
  const waited: number[] = [];
  const after = (ms: number, fn: () => void) => {
    waited.push(ms);
    fn();
    return () => undefined;
  };
  const sched = { ...base.sched, after };
  const filter = makeFilter(sleepFilter, { time: '0.5', every: '2' }, { runtime: { ...base, sched } });
  for (let i = 0; i < 4; i++) await filter.run(eventOf());
  expect(waited).toEqual([500, 500]);
});

test('throttle matches below and above its counts in a period', async () => {
  const filter = makeFilter(throttleFilter, { key: '%{h}', before_count: 2, after_count: 3, period: 10 });
  const outcomes: string[] = [];
  for (const second of [0, 1, 2, 3, 11]) {
    outcomes.push((await filter.run(eventOf({ h: 'a', '@timestamp': `2026-01-02T03:04:${10 + second}Z` }))).outcome);
  }
  expect(outcomes).toEqual(['matched', 'unmatched', 'unmatched', 'matched', 'matched']);
});

describe('elapsed', () => {
  const options = { start_tag: 's', end_tag: 'e', unique_id_field: 'id', timeout: 10 };
  const START = { id: 1, tags: ['s'], '@timestamp': '2026-01-02T03:04:05Z' };
  test('adds the time to the end event', async () => {
    const filter = makeFilter(elapsedFilter, options);
    await filter.run(eventOf(START));
    const end = eventOf({ id: 1, tags: ['e'], '@timestamp': '2026-01-02T03:04:06.500Z' });
    await filter.run(end);
    expect(plain(end)).toMatchObject({
      elapsed_time: 1.5,
      elapsed_timestamp_start: '2026-01-02T03:04:05.000Z',
      tags: ['e', 'elapsed', 'elapsed_match'],
    });
  });
  test('or to a new event; an end without a start is tagged; a start without an end expires', async () => {
    const clock = withClock();
    const filter = makeFilter(elapsedFilter, { ...options, new_event_on_match: true }, { runtime: clock.runtime });
    await filter.run(eventOf(START));
    const { events } = await filter.run(eventOf({ id: 1, tags: ['e'], '@timestamp': '2026-01-02T03:04:07Z' }));
    expect(events.map(plain)[1]).toMatchObject({ id: 1, elapsed_time: 2, tags: ['elapsed', 'elapsed_match'] });
    const lost = eventOf({ id: 2, tags: ['e'] });
    await filter.run(lost);
    expect(lost.hasTag('elapsed_end_without_start')).toBe(true);
    await filter.run(eventOf(START));
    clock.now = 11_000;
    expect(filter.filter.flush?.({ isFinal: false }).map(plain)).toMatchObject([
      { id: 1, elapsed_time: 11, tags: ['elapsed', 'elapsed_expired_error'] },
    ]);
  });
});

test('metrics reports counts and times', async () => {
  const clock = withClock();
  const filter = makeFilter(
    metricsFilter,
    { meter: ['http_%{code}'], timer: { t: '%{ms}' }, percentiles: [50, 100] },
    { runtime: clock.runtime },
  );
  for (const ms of [10, 20, 30]) await filter.run(eventOf({ code: 200, ms }));
  clock.now = 5000;
  const [report] = filter.filter.flush?.({ isFinal: false }) ?? [];
  expect(report === undefined ? null : plain(report)).toMatchObject({
    http_200: { count: 3, rate_1m: 0.6 },
    t: { count: 3, min: 10, max: 30, mean: 20, p50: 20, p100: 30 },
  });
  expect(filter.filter.flush?.({ isFinal: false })).toEqual([]);
});

describe('javascript', () => {
  const run = (options: Record<string, unknown>, fields: Record<string, unknown>) =>
    runFilter(javascriptFilter, options, fields);
  test('gets, sets, removes, tags, clones, emits', async () => {
    const code = `
      event.set('[a][b]', event.get('n') * 2);
      event.set('list', [1, { x: null }]);
      event.remove('n');
      event.tag('done');
      const copy = event.clone(); copy.set('copy', true); emit(copy);`;
    const { events } = await run({ code }, { n: 21 });
    const fields = { a: { b: 42 }, list: [1, { x: null }], tags: ['done'] };
    expect(events).toEqual([fields, { ...fields, copy: true }]);
  });
  test('cancels; dates are dates; parameters and init', async () => {
    expect((await run({ code: 'event.cancel()' }, {})).events).toEqual([]);
    const options = {
      init: 'var factor = params.by',
      script_params: { by: 3 },
      code: "event.set('y', event.get('@timestamp').getUTCFullYear() * factor)",
    };
    expect((await run(options, { '@timestamp': '2026-01-01T00:00:00Z' })).event.y).toBe(6078);
  });
  test('a script that throws is tagged; one that hangs is ended', async () => {
    expect((await run({ code: 'null.x', tag_with_exception_message: true }, {})).event.tags).toHaveLength(2);
    expect((await run({ code: 'for (;;) {}', timeout_millis: 30 }, {})).event.tags).toEqual(['_javascriptexception']);
    expect(() => makeFilter(javascriptFilter, { code: '(' })).toThrow('the script cannot be used');
  });
  test('a file has register and filter and answers the events that go on', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'shoal-js-'));
    const path = join(directory, 'f.js');
    writeFileSync(
      path,
      'let p; function register(params) { p = params } function filter(event) { if (event.get("a") === p.drop) return []; return [event] }',
    );
    const options = { path, script_params: { drop: 1 } };
    expect((await run(options, { a: 1 })).events).toEqual([]);
    expect((await run(options, { a: 2 })).events).toEqual([{ a: 2 }]);
    rmSync(directory, { recursive: true });
  });
});

test('ruby is refused with a text that names javascript', () => {
  expect(() => makeFilter(rubyFilter, { code: "event.set('a', 1)" })).toThrow(
    /Ruby code cannot be run; write it in JavaScript with the filter "javascript"/,
  );
});

describe('aggregate', () => {
  const JS = { task_id: '%{id}', language: 'javascript' };
  test('fills the map of a task over its events, shared between filters', async () => {
    const { runtime } = withClock();
    const commons = new PluginCommons();
    const code = 'map.sum = (map.sum ?? 0) + event.get("n")';
    const first = makeFilter(aggregateFilter, { ...JS, code }, { runtime, commons });
    const last = makeFilter(
      aggregateFilter,
      { ...JS, code: 'event.set("sum", map.sum)', map_action: 'update', end_of_task: true },
      { runtime, commons },
    );
    for (const n of [1, 2, 3]) await first.run(eventOf({ id: 'a', n }));
    const end = eventOf({ id: 'a' });
    await last.run(end);
    expect(plain(end).sum).toBe(6);
    expect((await last.run(eventOf({ id: 'a' }))).outcome).toBe('unmatched');
    expect((await first.run(eventOf({ n: 1 }))).outcome).toBe('unmatched');
  });
  test('maps become events after their time, and when another task begins', async () => {
    const clock = withClock();
    const options = {
      ...JS,
      code: 'map.n = event.get("n")',
      timeout: 10,
      push_map_as_event_on_timeout: true,
      timeout_task_id_field: 'task',
      timeout_tags: ['late'],
      timeout_code: 'event.set("c", 1)',
    };
    const filter = makeFilter(aggregateFilter, options, { runtime: clock.runtime });
    await filter.run(eventOf({ id: 'a', n: 5 }));
    clock.now = 11_000;
    expect(filter.filter.flush?.({ isFinal: false }).map(plain)).toMatchObject([
      { n: 5, task: 'a', tags: ['late'], c: 1 },
    ]);
    const previous = makeFilter(
      aggregateFilter,
      { ...JS, code: 'map.n = event.get("n")', push_previous_map_as_event: true },
      { runtime: withClock().runtime },
    );
    await previous.run(eventOf({ id: 'a', n: 1 }));
    const { events } = await previous.run(eventOf({ id: 'b', n: 2 }));
    expect(events.map(plain)[1]).toMatchObject({ n: 1 });
    expect(previous.filter.flush?.({ isFinal: true }).map(plain)).toMatchObject([
      { n: 2, tags: ['_aggregatefinalflush'] },
    ]);
  });
  test('a script that throws is tagged; maps survive in a file; Ruby is refused with a translation', async () => {
    const failing = makeFilter(aggregateFilter, { ...JS, code: 'null.x' }, { runtime: withClock().runtime });
    const event = eventOf({ id: 'a' });
    await failing.run(event);
    expect(event.hasTag('_aggregateexception')).toBe(true);
    const path = join(mkdtempSync(join(tmpdir(), 'shoal-agg-')), 'maps');
    const options = { ...JS, code: 'map.n = (map.n ?? 0) + 1; event.set("n", map.n)', aggregate_maps_path: path };
    const before = makeFilter(aggregateFilter, options, { runtime: withClock().runtime });
    await before.run(eventOf({ id: 'a' }));
    await before.filter.stop?.();
    expect(existsSync(path)).toBe(true);
    const after = makeFilter(aggregateFilter, options, { runtime: withClock().runtime });
    await after.filter.start?.();
    const second = eventOf({ id: 'a' });
    await after.run(second);
    expect(plain(second).n).toBe(2);
    expect(() => makeFilter(aggregateFilter, { task_id: 'x', code: "map['x'] ||= 0; map['x'] += 1" })).toThrow(
      "map['x'] ??= 0; map['x'] += 1",
    );
  });
});
