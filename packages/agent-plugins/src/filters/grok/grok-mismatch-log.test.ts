import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { grokFilter } from './grok.ts';
import { EXPLAINED_PER_MINUTE } from './grok-mismatch-log.ts';

const OPTIONS = { match: { message: ['%{INT:n} apples', '%{INT:n} %{WORD:what} of %{WORD:kind}'] } };

test('at log level debug a mismatch says how far the best pattern got, at most so often a minute', async () => {
  const log = createRecordingLog();
  let nowMs = 0;
  const real = createNodeRuntime({ log });
  const runtime = { ...real, log, clock: { ...real.clock, monotonicMs: () => nowMs } };
  const { run } = makeFilter(grokFilter, OPTIONS, { runtime, isDebugging: true });
  for (let i = 0; i < EXPLAINED_PER_MINUTE + 3; i++) await run(eventOf({ message: '5 kilos or so' }));
  expect(log.lines).toHaveLength(EXPLAINED_PER_MINUTE);
  expect(log.lines[0]).toMatchObject({
    level: 'debug',
    message: 'grok pattern does not match',
    fields: {
      position: 'test.conf:1:1',
      field: 'message',
      text: '5 kilos or so',
      matched: '5 kilos o',
      found: 'r so',
      offset: 9,
    },
  });
  nowMs = 60_000;
  await run(eventOf({ message: 'no number' }));
  expect(log.lines.at(-1)?.fields).toMatchObject({ unexplainedBefore: 3, offset: 0 });
});

test('at other levels nothing is explained, and a match never is', async () => {
  const log = createRecordingLog();
  const runtime = createNodeRuntime({ log });
  await makeFilter(grokFilter, OPTIONS, { runtime: { ...runtime, log } }).run(eventOf({ message: 'x' }));
  await makeFilter(grokFilter, OPTIONS, { runtime: { ...runtime, log }, isDebugging: true }).run(
    eventOf({ message: '5 kilos of figs' }),
  );
  expect(log.lines).toEqual([]);
});
