import { expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { metricizeFilter } from './metricize.ts';

const FIELDS = { host: 'h', cpu: 5, disk: { used: 7 }, gone: null };

test('metricize makes an event of each measurement that is there, behind the original', async () => {
  const { events } = await runFilter(metricizeFilter, { metrics: ['cpu', '[disk][used]', 'gone'] }, FIELDS);
  expect(events).toEqual([
    FIELDS,
    { host: 'h', disk: {}, metric: 'cpu', value: 5 },
    { host: 'h', disk: {}, metric: '[disk][used]', value: 7 },
  ]);
});

test('names of its fields may be others, and the original may be dropped', async () => {
  const options = { metrics: ['cpu'], metric_field_name: 'key', value_field_name: '[a][b]', drop_original_event: true };
  const { events } = await runFilter(metricizeFilter, options, { host: 'h', cpu: 5 });
  expect(events).toEqual([{ host: 'h', key: 'cpu', a: { b: 5 } }]);
});
