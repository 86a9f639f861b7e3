import { describe, expect, test } from 'vitest';
import { plainOf, start } from '../input-under-test.test-support.ts';
import { generatorInput } from './generator.ts';

describe('the generator input', () => {
  test('gives each line as often as count says, and ends', async () => {
    const { sink, input } = await start(generatorInput, { lines: ['a', 'b'], count: 2 });
    await input.finished;
    expect(sink.messages()).toEqual(['a', 'b', 'a', 'b']);
    expect(sink.events.map((event) => event.fields.get('sequence'))).toEqual([0, 0, 1, 1]);
    expect(sink.events[0]?.fields.get('host')).toBe('tester');
  });
  test('runs once for each of its threads', async () => {
    const { sink, input } = await start(generatorInput, { message: 'm', count: 3, threads: 2 });
    await input.finished;
    expect(sink.messages()).toEqual(['m', 'm', 'm', 'm', 'm', 'm']);
  });
  test('without a count goes on until it is stopped', async () => {
    const { sink, input } = await start(generatorInput, {});
    await sink.until(1_000);
    expect(input.finished).toBeNull();
    await input.stop();
    const count = sink.events.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(sink.events).toHaveLength(count);
  });
  test('under ECS', async () => {
    const { sink, input } = await start(generatorInput, { count: 1, message: 'm' }, { ecs: 'v8' });
    await input.finished;
    expect(plainOf(sink)).toEqual({ message: 'm', host: { name: 'tester' }, event: { original: 'm', sequence: 0 } });
  });
});
