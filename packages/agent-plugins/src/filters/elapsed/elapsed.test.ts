import { describe, expect, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { plain, withClock } from '../filter-outcome.test-support.ts';
import { elapsedFilter } from './elapsed.ts';

describe('the elapsed filter', () => {
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
    expect((await filter.run(lost)).outcome).toBe('matched');
    expect(lost.hasTag('elapsed_end_without_start')).toBe(true);
    await filter.run(eventOf(START));
    clock.now = 11_000;
    expect(filter.filter.flush?.({ isFinal: false }).map(plain)).toMatchObject([
      { id: 1, elapsed_time: 11, tags: ['elapsed', 'elapsed_expired_error'] },
    ]);
  });
});
