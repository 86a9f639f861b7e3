import { afterEach, describe, expect, test, vi } from 'vitest';
import { event, line, start } from '../output-under-test.test-support.ts';
import { stdoutOutput } from './stdout.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Takes the place of standard output; `fail` makes its next write an error. */
function captured(fail: Error | null = null): string[] {
  const texts: string[] = [];
  const write = (bytes: unknown, done: unknown): boolean => {
    texts.push(Buffer.from(bytes as Uint8Array).toString('utf8'));
    if (typeof done === 'function') done(fail);
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(write as typeof process.stdout.write);
  return texts;
}

describe('the stdout output', () => {
  test('writes a batch at once, by its codec', async () => {
    const { output } = await start(stdoutOutput, { codec: line });
    const texts = captured();
    await output.receive([event({ message: 'a' }), event({ message: 'b' })]);
    expect(texts).toEqual(['a\nb\n']);
  });

  test('prints events for people without a codec', async () => {
    const { output } = await start(stdoutOutput, {});
    const texts = captured();
    await output.receive([event({ message: 'a' })]);
    expect(texts.join('')).toContain('"message" => "a"');
  });

  test('fails the batch when standard output does', async () => {
    const { output } = await start(stdoutOutput, { codec: line });
    captured(new Error('EPIPE'));
    await expect(output.receive([event({ message: 'a' })])).rejects.toThrow('EPIPE');
  });
});
