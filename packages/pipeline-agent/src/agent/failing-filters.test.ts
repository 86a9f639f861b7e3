/**
 * Events on which a filter throws: they go on with a tag, or into the dead letter queue as they came to that filter.
 */
import { DeadLetterReader } from '@shoal/agent-queue';
import { describe, expect, test } from 'vitest';
import { collected, type TestAgent, testAgent } from './agent.test-support.ts';

/** Runs one JSON event through `filters` to its end. */
async function run(
  into: string,
  { event, filters, settings = {} }: { event: object; filters: string; settings?: Record<string, unknown> },
): Promise<TestAgent> {
  const agent = testAgent({
    ...settings,
    'pipeline.ecs_compatibility': 'disabled',
    'config.string': `input { generator { message => '${JSON.stringify(event)}' codec => json count => 1 } }
      filter { ${filters} } output { collect { into => "${into}" } }`,
  });
  await agent.core.start();
  await agent.core.allEnded;
  return agent;
}

describe('an event on which a filter throws', () => {
  test.each([
    ['fail { }', '_fail_exception'],
    ['fail { tag_on_failure => ["_own"] }', '_own'],
    ['fail { tag_on_failure => [] }', '_fail_exception'],
  ])('goes on with a tag: %s', async (filter, tag) => {
    const event = { message: 'bad' };
    const into = `tagged ${filter.replaceAll('"', '')}`;
    const { core, log } = await run(into, { event, filters: `${filter} mutate { add_field => { "after" => "1" } }` });
    expect(collected(into)).toHaveLength(1);
    expect(collected(into)[0]).toMatchObject({ after: '1', tags: [tag] });
    const { pipeline } = core.pipelines[0]!;
    expect(pipeline.ledger()).toMatchObject({ out: 1, dropped: {}, deadLettered: 0, isBalanced: true });
    const [failing] = pipeline.stats.filters;
    expect([failing?.in, failing?.out]).toEqual([1, 1]);
    expect(failing?.metrics.get('exceptions')).toBe(1);
    expect(log.lines.find(({ message }) => message === 'a plugin failed on an event')).toMatchObject({
      level: 'error',
      fields: { id: failing?.plan.id },
    });
  });

  test('is not decorated, and keeps what stands in its tags', async () => {
    await run('undecorated', {
      event: { message: 'bad', tags: 'one' },
      filters: 'fail { add_tag => ["matched"] add_field => { "f" => "1" } }',
    });
    expect(collected('undecorated')[0]).toMatchObject({ tags: ['one', '_fail_exception'] });
    expect(collected('undecorated')[0]).not.toHaveProperty('f');
  });

  test('goes into the dead letter queue as it came to that filter, if there is one', async () => {
    const { core, runtime } = await run('as it came', {
      event: { message: 'bad' },
      filters: 'mutate { add_field => { "before" => "1" } } fail { id => "d" }',
      settings: { 'dead_letter_queue.enable': true },
    });
    expect(collected('as it came')).toEqual([]);
    expect(core.pipelines[0]!.pipeline.ledger()).toMatchObject({ out: 0, deadLettered: 1, isBalanced: true });
    const [letter] = await new DeadLetterReader(runtime.disk, 'data/dead_letter_queue/main').next(10);
    expect(letter).toMatchObject({ pluginType: 'fail', pluginId: 'd' });
    expect(Object.fromEntries(letter!.event.fields)).toMatchObject({ message: 'bad', before: '1' });
    expect(letter!.event.fields.has('half')).toBe(false);
    expect(letter!.event.hasTag('_fail_exception')).toBe(false);
  });

  test('goes on with a tag when the dead letter queue has no room', async () => {
    const { core } = await run('no room', {
      event: { message: 'bad' },
      filters: 'fail { }',
      settings: { 'dead_letter_queue.enable': true, 'dead_letter_queue.max_bytes': '1b' },
    });
    expect(collected('no room')[0]).toMatchObject({ tags: ['_fail_exception'] });
    expect(core.pipelines[0]!.pipeline.ledger()).toMatchObject({ out: 1, deadLettered: 0, isBalanced: true });
  });
});
