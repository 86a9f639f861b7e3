import { describe, expect, test } from 'vitest';
import { startedFirstThread, startFirstThread } from './start-first-thread.ts';

describe('the first thread of pipelines', () => {
  test.each([['-t'], ['--help'], ['test']])('is not started for shoal agent %s, which runs none', (word) => {
    startFirstThread(['-f', 'a.conf', word]);
    expect(startedFirstThread()).toBe(null);
  });
});
