import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SharedInstances } from '@shoal/agent-plugin-kit';
import { afterAll, describe, expect, test } from 'vitest';
import {
  eventOf,
  makeFilter,
  type OptionsLiteral,
} from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { plain, withClock } from '../filter-outcome.test-support.ts';
import { aggregateFilter } from './aggregate.ts';

const TASK = { task_id: '%{id}' };

function filters(...options: readonly OptionsLiteral[]) {
  const clock = withClock();
  const shared = { runtime: clock.runtime, commons: new SharedInstances() };
  return { clock, filters: options.map((one) => makeFilter(aggregateFilter, { ...TASK, ...one }, shared)) };
}

describe('the aggregate filter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shoal-agg-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('a script in Ruby hands on events of its own', async () => {
    const code = "map['n'] = 2; new_event_block.call(LogStash::Event.new({ :n => map['n'] }))";
    const [filter] = filters({ code }).filters;
    const { events } = await filter!.run(eventOf({ id: 'a' }));
    expect(events.map((event) => plain(event).n)).toEqual([undefined, 2]);
  });

  test.each([
    { language: 'ruby', code: "map['sum'] ||= 0; map['sum'] += event.get('n')", end: "event.set('sum', map['sum'])" },
    { language: 'javascript', code: 'map.sum = (map.sum ?? 0) + event.get("n")', end: 'event.set("sum", map.sum)' },
  ])('fills the map of a task over its events, shared between filters: $language', async ({ language, code, end }) => {
    const [first, last] = filters(
      { language, code },
      { language, code: end, map_action: 'update', end_of_task: true },
    ).filters;
    for (const n of [1, 2, 3]) await first!.run(eventOf({ id: 'a', n }));
    const event = eventOf({ id: 'a' });
    await last!.run(event);
    expect(plain(event).sum).toBe(6);
    expect((await last!.run(eventOf({ id: 'a' }))).outcome).toBe('unmatched');
    expect((await first!.run(eventOf({ n: 1 }))).outcome).toBe('unmatched');
  });

  test('a map that exists is left alone by map_action create', async () => {
    const [filter] = filters({ code: "event.set('new', true)", map_action: 'create' }).filters;
    expect((await filter!.run(eventOf({ id: 'a' }))).outcome).toBe('matched');
    expect((await filter!.run(eventOf({ id: 'a' }))).outcome).toBe('unmatched');
  });

  test('maps become events after their time', async () => {
    const { clock, filters: made } = filters({
      code: "map['n'] = event.get('n')",
      timeout: 10,
      push_map_as_event_on_timeout: true,
      timeout_task_id_field: 'task',
      timeout_tags: ['late'],
      timeout_code: "event.set('c', event.get('n') + 1)",
    });
    const [filter] = made;
    await filter!.run(eventOf({ id: 'a', n: 5 }));
    clock.now = 9_000;
    expect(filter!.filter.flush?.({ isFinal: false })).toEqual([]);
    clock.now = 16_000;
    expect(filter!.filter.flush?.({ isFinal: false }).map(plain)).toMatchObject([
      { n: 5, task: 'a', tags: ['late'], c: 6 },
    ]);
  });

  test('a task without events for its inactivity_timeout ends, whatever its age', async () => {
    const { clock, filters: made } = filters({
      code: "map['n'] = (map['n'] || 0) + 1",
      timeout: 100,
      inactivity_timeout: 10,
      push_map_as_event_on_timeout: true,
    });
    const [filter] = made;
    for (const now of [0, 8_000, 16_000]) {
      clock.now = now;
      await filter!.run(eventOf({ id: 'a' }));
    }
    clock.now = 25_000;
    expect(filter!.filter.flush?.({ isFinal: false })).toEqual([]);
    clock.now = 31_000;
    expect(filter!.filter.flush?.({ isFinal: false }).map(plain)).toMatchObject([{ n: 3 }]);
  });

  test('a new task pushes the one before it, and the end the last one', async () => {
    const [filter] = filters({
      code: "map['towns'] ||= []; map['towns'] << { 'name' => event.get('n') }; event.cancel()",
      push_previous_map_as_event: true,
    }).filters;
    const seen: unknown[] = [];
    for (const [id, n] of [
      ['a', 1],
      ['a', 2],
      ['b', 3],
    ] as const) {
      seen.push(...(await filter!.run(eventOf({ id, n }))).events.map(plain));
    }
    expect(seen).toMatchObject([{ towns: [{ name: 1 }, { name: 2 }] }]);
    expect(filter!.filter.flush?.({ isFinal: true }).map(plain)).toMatchObject([
      { towns: [{ name: 3 }], tags: ['_aggregatefinalflush'] },
    ]);
  });

  test('the time of an event ends its task where timeout_timestamp_field says so', async () => {
    const [filter] = filters({
      code: "map['n'] = (map['n'] || 0) + 1",
      timeout: 60,
      timeout_timestamp_field: '@timestamp',
      push_map_as_event_on_timeout: true,
    }).filters;
    const at = (time: string) => filter!.run(eventOf({ id: 'a', '@timestamp': `2024-01-01T00:0${time}Z` }));
    await at('0:00');
    await at('0:30');
    const { events } = await at('2:00');
    expect(events.map(plain)[1]).toMatchObject({ n: 2 });
  });

  test('a script may give its task a timeout; 0 ends it at once', async () => {
    const { clock, filters: made } = filters({
      code: "map['n'] = 1; map_meta.timeout = event.get('t')",
      push_map_as_event_on_timeout: true,
    });
    const [filter] = made;
    expect((await filter!.run(eventOf({ id: 'a', t: 0 }))).events).toHaveLength(2);
    await filter!.run(eventOf({ id: 'b', t: 2 }));
    filter!.filter.flush?.({ isFinal: false });
    clock.now = 3_000;
    expect(filter!.filter.flush?.({ isFinal: false })).toHaveLength(1);
  });

  test('a script that raises tags its event, a timeout_code the event of the map', async () => {
    const [filter] = filters({
      code: "raise 'x' if event.get('bad')",
      timeout_code: "event.get('nothing').size",
      push_map_as_event_on_timeout: true,
    }).filters;
    const event = eventOf({ id: 'a', bad: true });
    expect((await filter!.run(event)).outcome).toBe('unmatched');
    expect(event.hasTag('_aggregateexception')).toBe(true);
    const [late] = filter!.filter.flush?.({ isFinal: true }) ?? [];
    expect(late?.hasTag('_aggregateexception')).toBe(true);
  });

  test('maps survive in a file, which is gone once they are read', async () => {
    const path = join(folder, 'maps');
    const options = { code: "map['n'] = (map['n'] || 0) + 1; event.set('n', map['n'])", aggregate_maps_path: path };
    const [before] = filters(options).filters;
    await before!.run(eventOf({ id: 'a' }));
    await before!.filter.stop?.();
    const [after] = filters(options).filters;
    await after!.filter.start?.();
    expect(existsSync(path)).toBe(false);
    const second = eventOf({ id: 'a' });
    await after!.run(second);
    expect(plain(second).n).toBe(2);
  });

  test.each([
    [[{ task_id: 'fixed', code: '1' }], "must contain a dynamic expression like '%{field}'"],
    [
      [
        { code: '1', timeout: 5 },
        { code: '2', timeout_tags: ['x'] },
      ],
      'more than one filter which defines timeout options',
    ],
    [[{ code: '1', timeout: 5, inactivity_timeout: 6 }], 'inactivity_timeout must be lower than timeout'],
    [
      [
        { code: '1', aggregate_maps_path: '/a' },
        { code: '2', aggregate_maps_path: '/b' },
      ],
      'must be set on only one',
    ],
    [[{ code: 'map[' }], 'the Ruby code cannot be used: line 1, column 5'],
  ])('options that do not go together are refused: %j', (options, message) => {
    expect(() => filters(...options)).toThrow(message);
  });
});
