import { DeadLetterReader } from '@shoal/agent-queue';
import { describe, expect, test } from 'vitest';
import { collected, testAgent } from '../agent/agent.test-support.ts';

const INPUT = 'input { generator { lines => ["a", "b"] count => 500 } }';
const WORKERS = { 'pipeline.workers': 4, 'pipeline.batch.size': 10 };

describe('an output that there is one of', () => {
  test('runs once for all workers, one call at a time', async () => {
    const { core } = testAgent({ ...WORKERS, 'config.string': `${INPUT} output { solo { into => "s1" id => "s" } }` });
    await core.start();
    await core.allEnded;
    const { pipeline } = core.pipelines[0]!;
    expect(collected('s1').length).toBeGreaterThan(0);
    expect(collected('s1').every((call) => call.instance === 1 && call.atOnce === 1)).toBe(true);
    expect(collected('s1').reduce((sum, call) => sum + Number(call.count), 0)).toBe(1_000);
    expect(pipeline.ledger()).toMatchObject({ in: 1_000, out: 1_000, isBalanced: true });
    expect(pipeline.stats.outputs[0]).toMatchObject({ in: 1_000, out: 1_000 });
    expect(pipeline.stats.outputs[0]?.metrics.get('calls')).toBe(collected('s1').length);
  });

  test('dead-letters single events and whole batches from there', async () => {
    const { core, runtime } = testAgent({
      ...WORKERS,
      'dead_letter_queue.enable': true,
      'config.string': `${INPUT} output { if [message] == "a" { picky { id => "p" } } else { refuse { id => "r" } } }`,
    });
    await core.start();
    await core.allEnded;
    const ledger = core.pipelines[0]!.pipeline.ledger();
    expect(ledger).toMatchObject({ in: 1_000, out: 250, deadLettered: 750, isBalanced: true });
    const letters = await new DeadLetterReader(runtime.disk, 'data/dead_letter_queue/main').next(2_000);
    expect(letters.filter((letter) => letter.reason === 'odd')).toHaveLength(250);
    expect(letters.filter((letter) => letter.reason === 'nobody is there')).toHaveLength(500);
  });

  test('gives up an event once, also when it then throws over all', async () => {
    const { core, runtime } = testAgent({
      ...WORKERS,
      'dead_letter_queue.enable': true,
      'config.string': `${INPUT} output { picky { throws => true } }`,
    });
    await core.start();
    await core.allEnded;
    expect(core.pipelines[0]!.pipeline.ledger()).toMatchObject({ out: 0, deadLettered: 1_000, isBalanced: true });
    const letters = await new DeadLetterReader(runtime.disk, 'data/dead_letter_queue/main').next(3_000);
    expect(letters).toHaveLength(1_000);
    expect(letters.filter((letter) => letter.reason === 'odd')).toHaveLength(500);
  });

  test('counts what it gives up as dropped where there is no dead letter queue', async () => {
    const config = `${INPUT} output { if [message] == "a" { refuse { id => "r" } } }`;
    const { core } = testAgent({ ...WORKERS, 'config.string': config });
    await core.start();
    await core.allEnded;
    expect(core.pipelines[0]!.pipeline.ledger()).toMatchObject({ dropped: { r: 500 }, out: 500, isBalanced: true });
  });

  test('stops the start of the pipeline when it cannot be started', async () => {
    const { core } = testAgent({ ...WORKERS, 'config.string': `${INPUT} output { unopened { } }` });
    await expect(core.start()).rejects.toThrow(/^config\.string:1:\d+: unopened: port in use\n.*\n +\^/);
  });
});

describe('workers', () => {
  const aggregate =
    'filter { metrics { meter => "m" } throttle { key => "k" } csv { autodetect_column_names => true } }';

  test('are one where a filter keeps state over all events, with a warning that names it', async () => {
    const config = `${INPUT} ${aggregate} output { null { } }`;
    const { core, log } = testAgent({ ...WORKERS, 'config.string': config });
    await core.start();
    expect(core.pipelines[0]!.pipeline.workerCountMax).toBe(1);
    const line = log.lines.find(({ message }) => message.startsWith('one worker only'));
    expect(line?.fields['pipeline.workers']).toBe('4, which is not obeyed');
    const named = line?.fields.filters as string[];
    expect(named.map((name) => name.split(' ')[0])).toEqual(['metrics', 'throttle', 'csv']);
    expect(named[0]).toMatch(/ at config\.string:1:\d+$/);
  });

  test('are one where order was asked for, and an error where both were', async () => {
    const config = {
      'config.string': `${INPUT} output { collect { into => "o1" } }`,
      'pipeline.ordered': 'true',
      'pipeline.ecs_compatibility': 'disabled',
    };
    const { core } = testAgent({ ...config, 'pipeline.batch.size': 7 });
    await core.start();
    await core.allEnded;
    expect(core.pipelines[0]!.pipeline.workerCountMax).toBe(1);
    const sequences = collected('o1').map((event) => Number(event.sequence));
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    await expect(testAgent({ ...config, 'pipeline.workers': 2 }).core.start()).rejects.toThrow(
      'pipeline.ordered: true needs pipeline.workers: 1, found 2',
    );
  });
});
