import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SharedInstances } from '@shoal/agent-plugin-kit';
import { describe, expect, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { plain, withClock } from '../filter-outcome.test-support.ts';
import { aggregateFilter } from './aggregate.ts';

describe('the aggregate filter', () => {
  const JS = { task_id: '%{id}', language: 'javascript' };
  test('fills the map of a task over its events, shared between filters', async () => {
    const { runtime } = withClock();
    const commons = new SharedInstances();
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
