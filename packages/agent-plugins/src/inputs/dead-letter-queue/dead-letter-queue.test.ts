import { createEvent, parseFieldReference } from '@shoal/agent-event';
import type { Input } from '@shoal/agent-plugin-kit';
import { DeadLetterWriter } from '@shoal/agent-queue';
import { createMemoryDisk, createNodeRuntime, createSilentLog, type Runtime } from '@shoal/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { CollectingSink, makeInput, testContext } from '../../plugin-instance.test-support.ts';
import { deadLetterInput } from './dead-letter-queue.ts';

const running: Input[] = [];
afterEach(async () => {
  for (const input of running.splice(0)) await input.stop();
});

const runtimeOf = (): Runtime => ({ ...createNodeRuntime({ log: createSilentLog() }), disk: createMemoryDisk() });

/** Adds an entry for each text; entry times are 1 s, 2 s and so on. */
async function write(runtime: Runtime, ...texts: readonly string[]): Promise<void> {
  const writer = await DeadLetterWriter.open(runtime, {
    directory: 'dlq/main',
    bytesMax: 100_000,
    flushIntervalMs: 60_000,
    storagePolicy: 'drop_newer',
    retainAgeMs: null,
  });
  for (const [i, text] of texts.entries()) {
    const event = createEvent(new Map([['message', text]]));
    const entryTimeMs = (i + 1) * 1_000;
    await writer.write({ entryTimeMs, pluginType: 'elasticsearch', pluginId: 'out', reason: `no ${text}`, event });
  }
  await writer.close();
}

async function start(runtime: Runtime, options: Readonly<Record<string, unknown>> = {}) {
  const sink = new CollectingSink();
  const input = makeInput(
    deadLetterInput,
    { path: 'dlq', sincedb_path: 'position', ...options },
    testContext({ runtime }),
  );
  running.push(input);
  await input.start(sink);
  return { sink, input };
}

describe('the dead_letter_queue input', () => {
  test('gives each event with the reason in its metadata', async () => {
    const runtime = runtimeOf();
    await write(runtime, 'a', 'b');
    const { sink } = await start(runtime);
    await sink.until(2);
    expect(sink.messages()).toEqual(['a', 'b']);
    const about = (name: string): string =>
      String(sink.events[1]?.get(parseFieldReference(`[@metadata][dead_letter_queue][${name}]`)));
    expect(['entry_time', 'plugin_type', 'plugin_id', 'reason'].map(about)).toEqual([
      '1970-01-01T00:00:02.000Z',
      'elasticsearch',
      'out',
      'no b',
    ]);
  });

  test('goes on after the last event it gave, and from the start without commit_offsets', async () => {
    const runtime = runtimeOf();
    await write(runtime, 'a');
    const first = await start(runtime);
    await first.sink.until(1);
    await first.input.stop();
    await write(runtime, 'b');
    const second = await start(runtime);
    await second.sink.until(1);
    expect(second.sink.messages()).toEqual(['b']);
    const all = await start(runtime, { commit_offsets: false });
    await all.sink.until(2);
    expect(all.sink.messages()).toEqual(['a', 'b']);
  });

  test('leaves out entries before start_timestamp', async () => {
    const runtime = runtimeOf();
    await write(runtime, 'a', 'b', 'c');
    const { sink } = await start(runtime, { start_timestamp: '1970-01-01T00:00:02Z' });
    await sink.until(2);
    expect(sink.messages()).toEqual(['b', 'c']);
    expect(() => makeInput(deadLetterInput, { path: 'dlq', start_timestamp: 'soon' }, testContext())).toThrow(
      'start_timestamp [soon] is no ISO 8601 time',
    );
  });

  test('deletes consumed segments with clean_consumed, which needs commit_offsets', async () => {
    const runtime = runtimeOf();
    await write(runtime, 'a');
    await write(runtime, 'b');
    const { sink, input } = await start(runtime, { clean_consumed: true });
    await sink.until(2);
    await input.stop();
    expect(await runtime.disk.list('dlq/main')).toEqual(['2.log']);
    const literal = { path: 'dlq', clean_consumed: true, commit_offsets: false };
    expect(() => makeInput(deadLetterInput, literal, testContext())).toThrow('[clean_consumed] needs [commit_offsets]');
  });
});
