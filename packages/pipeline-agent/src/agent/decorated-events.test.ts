/**
 * Which events a filter decorates besides the one it was given.
 */
import { describe, expect, test } from 'vitest';
import { collected, testAgent } from './agent.test-support.ts';

/** Runs events with `n` from 0 on through `filters`. Answers what the output got. */
async function run(into: string, filters: string, count = 1): Promise<readonly Record<string, unknown>[]> {
  const agent = testAgent({
    'pipeline.ecs_compatibility': 'disabled',
    'pipeline.workers': 1,
    'config.string': `input { generator { message => "x" count => ${count} } }
      filter { ${filters} } output { collect { into => "${into}" } }`,
  });
  await agent.core.start();
  await agent.core.allEnded;
  return collected(into) as readonly Record<string, unknown>[];
}

/** The events that carry the decoration, by the field that tells them apart. */
function marks(events: readonly Record<string, unknown>[]): readonly (readonly unknown[])[] {
  return events.map((event) => [event.made ?? null, event.f ?? null]);
}

describe('add_field of a filter', () => {
  const decoration = 'add_field => { "f" => "1" }';
  test('leaves events of new_event_block alone', async () => {
    const code = "e = event.clone; e.set('made', 1); new_event_block.call(e)";
    expect(marks(await run('block', `ruby { code => "${code}" ${decoration} }`))).toEqual([
      [null, '1'],
      [1, null],
    ]);
  });
  test('leaves maps that aggregate pushes alone, at once and at the end', async () => {
    const filter = `aggregate { task_id => "%{sequence}" code => "map['made'] = 1"
      push_previous_map_as_event => true ${decoration} }`;
    const events = marks(await run('maps', filter, 2));
    expect(events.filter((mark) => mark[0] === 1)).toEqual([
      [1, null],
      [1, null],
    ]);
    expect(events.filter((mark) => mark[0] === null)).toEqual([
      [null, '1'],
      [null, '1'],
    ]);
  });
  test('reaches the parts of split, and the copies but not the original of clone', async () => {
    const parts = await run(
      'parts',
      `mutate { replace => { "message" => "a|b" } } split { terminator => "|" ${decoration} }`,
    );
    expect(parts.map((event) => [event.message, event.f])).toEqual([
      ['a', '1'],
      ['b', '1'],
    ]);
    const clones = await run('clones', `clone { clones => ["c"] ${decoration} }`);
    expect(clones.map((event) => [event.type ?? null, event.f ?? null])).toEqual([
      [null, null],
      ['c', '1'],
    ]);
  });
});
