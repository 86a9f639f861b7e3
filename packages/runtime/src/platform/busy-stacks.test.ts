import { expect, test } from 'vitest';
import { busyStacks, FRAMES_MAX } from './busy-stacks.ts';

const frame = (name: string, parent: number, url = 'file:///a/work.js') => ({ name, url, line: 7, parent });

test('stacks are those of the samples, the most frequent first, without idle ones', () => {
  const frames = [frame('(root)', -1, ''), frame('(idle)', 0, ''), frame('outer', 0), frame('', 2), frame('other', 2)];
  const samples = [1, 3, 4, 3, 1].map((at, i) => ({ atMs: i, frame: at }));
  expect(busyStacks({ frames, samples })).toEqual({
    sampleCount: 5,
    stacks: [
      { count: 2, frames: ['(anonymous) (work.js:7)', 'outer (work.js:7)'] },
      { count: 1, frames: ['other (work.js:7)', 'outer (work.js:7)'] },
    ],
  });
});

test('a deep recursion is cut', () => {
  const frames = Array.from({ length: 1_000 }, (_, i) => frame(`f${i}`, i - 1));
  const { stacks } = busyStacks({ frames, samples: [{ atMs: 0, frame: 999 }] });
  expect(stacks[0]?.frames.length).toBe(FRAMES_MAX);
});
