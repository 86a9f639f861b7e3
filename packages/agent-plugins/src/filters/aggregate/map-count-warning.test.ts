import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { aggregateFilter } from './aggregate.ts';

/** What is logged while each of the ids has an event; `-a` ends the task of `a`. */
async function warnings(threshold: number | null, ids: readonly string[]): Promise<readonly string[]> {
  const log = createRecordingLog();
  const options = {
    task_id: '%{id}',
    language: 'javascript',
    code: "map.n = 1; if (event.get('ends')) map_meta.timeout = 0",
    ...(threshold === null ? {} : { map_count_warning_threshold: threshold }),
  };
  const filter = makeFilter(aggregateFilter, options, { runtime: createNodeRuntime({ log }) });
  for (const id of ids) await filter.run(eventOf(id.startsWith('-') ? { id: id.slice(1), ends: true } : { id }));
  return log.lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
}

const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `t${at}`);
const saying = (maps: number, threshold: number): string =>
  `Aggregate filter memory warning: task_id pattern '%{id}' has ${maps} maps in memory (threshold: ${threshold}).`;

test('many maps are told from the threshold on, and again after a fifth as many events', async () => {
  expect(await warnings(5, ids(5))).toEqual([]);
  expect(await warnings(5, ids(7))).toEqual([saying(5, 5), saying(6, 5)]);
  expect(await warnings(10, ids(14))).toEqual([saying(10, 10), saying(12, 10)]);
});

test('they are told anew when they have been fewer', async () => {
  expect(await warnings(10, [...ids(10), '-t0', 't0', 't10'])).toEqual([saying(10, 10), saying(10, 10)]);
});

test('a threshold of 0 tells nothing, and 5,000 is that of whoever sets none', async () => {
  expect(await warnings(0, ids(20))).toEqual([]);
  expect(await warnings(null, ids(5_001))).toEqual([saying(5_000, 5_000)]);
});
