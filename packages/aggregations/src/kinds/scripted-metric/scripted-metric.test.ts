import { expect, test } from 'vitest';
import { parseAggs, reread, resent } from '../../levels/round-trip.test-support.ts';
import type { ScriptedMetricPartial } from './scripted-metric-partial.ts';

test('scripted_metric comes out of a message as it was parsed', () => {
  const scripts = { map_script: 'state.a = 1', combine_script: { source: 'state', params: { c: 2.0 } } };
  const level = parseAggs({
    all: { scripted_metric: { ...scripts, init_script: 'state.a = 0', reduce_script: 'states', params: { p: [1] } } },
    some: { scripted_metric: scripts },
  });
  expect(resent(level)).toEqual(level);
});

test('its states come out of bytes as they were', () => {
  const partial: ScriptedMetricPartial = { kind: 'scriptedMetric', states: [null, 1.5, 'x', [true, 7n]] };
  expect(reread([partial])).toEqual([partial]);
});
