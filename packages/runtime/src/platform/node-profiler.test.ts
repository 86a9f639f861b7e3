import { describe, expect, test } from 'vitest';
import { createNodeMachine } from './node-machine.ts';
import { profileThread } from './node-profiler.ts';

function burnInRegularExpression(untilMs: number): void {
  while (performance.now() < untilMs) /^(a+)+$/.test('aaaaaaaaaaaaab');
}

describe('a profile of this thread', () => {
  test('names what ran, with times of the clock of this thread', async () => {
    const startMs = performance.now();
    const taken = profileThread({ durationMs: 150, sampleIntervalMs: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    burnInRegularExpression(performance.now() + 150);
    const { frames, samples } = await taken;
    const names = (frame: number): string[] => {
      const found: string[] = [];
      for (let at = frame; at >= 0; at = frames[at]?.parent ?? -1) found.push(frames[at]?.name ?? '');
      return found;
    };
    const burning = samples.filter(({ frame }) => names(frame).includes('burnInRegularExpression'));
    expect(burning.length).toBeGreaterThan(0);
    expect(burning.some(({ frame }) => names(frame)[0]?.startsWith('RegExp: '))).toBe(true);
    const isProfiler = (at: number): boolean =>
      /inspector/.test(frames[at]?.url ?? '') || frames[at]?.name === 'profileThread';
    expect(samples.filter(({ frame }) => isProfiler(frame))).toEqual([]);
    for (const { atMs } of burning) expect(atMs).toBeGreaterThan(startMs);
    for (const { atMs } of samples) expect(atMs).toBeLessThan(performance.now() + 1);
  });
});

describe.runIf(process.platform === 'linux')('threads of this process', () => {
  test('are counted with the time that they used', () => {
    const { threads } = createNodeMachine();
    const before = threads?.();
    burnInRegularExpression(performance.now() + 30);
    const after = threads?.();
    const own = (samples: typeof after): number =>
      samples?.threads.find(({ id }) => id === samples.ownId)?.cpuMs ?? Number.NaN;
    expect(own(after) - own(before)).toBeGreaterThan(0);
  });
});
