import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { start } from '../input-under-test.test-support.ts';
import { stdinInput } from './stdin.ts';

let stdin: PassThrough;
beforeEach(() => {
  stdin = new PassThrough();
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as unknown as typeof process.stdin);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('the stdin input', () => {
  test('makes an event of each line, and ends with its stream', async () => {
    const { sink, input } = await start(stdinInput, {});
    stdin.write('one\ntw');
    stdin.end('o');
    await input.finished;
    expect(sink.messages()).toEqual(['one', 'two']);
    expect(sink.events[0]?.fields.get('host')).toBe('tester');
  });

  test('cuts lines for codecs that want whole units', async () => {
    const { sink, input } = await start(stdinInput, { codec: 'json' });
    stdin.end('{"a":1}\n{"a":2}\n');
    await input.finished;
    expect(sink.events.map((event) => event.fields.get('a'))).toEqual([1, 2]);
  });

  test('holds its stream while the queue is full', async () => {
    const { sink } = await start(stdinInput, {});
    let release = (): void => undefined;
    sink.gate = new Promise<void>((resolve) => (release = resolve));
    stdin.write('one\n');
    while (!stdin.isPaused()) await new Promise((resolve) => setImmediate(resolve));
    sink.gate = null;
    release();
    await sink.until(1);
    while (stdin.isPaused()) await new Promise((resolve) => setImmediate(resolve));
  });

  test('reads nothing more once it is stopped', async () => {
    const { sink, input } = await start(stdinInput, {});
    stdin.write('one\n');
    await sink.until(1);
    await input.stop();
    await input.finished;
    stdin.write('two\n');
    await new Promise((resolve) => setImmediate(resolve));
    expect(sink.messages()).toEqual(['one']);
  });
});
