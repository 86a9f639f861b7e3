/**
 * `scripted_metric`: a value that scripts make of documents. The reduce script runs once, where the value is first asked for, over
 * what all shards gave.
 */
import { assert, illegalArgument } from '@shoal/core';
import { AGGREGATION_REDUCE_CONTEXT, paramsOf, programOf, scriptClassOf, scriptNumber, toPlain } from '@shoal/script';
import type { MetricKind } from '../../contract/aggregation-kind.ts';
import { invalidOrderPath } from '../../request/bucket-order.ts';
import { SCRIPTED_METRIC_PARTIAL, type ScriptedMetricPartial } from './scripted-metric-partial.ts';
import { parseScriptedMetric, readScriptedMetric, type ScriptedMetricAggregation } from './scripted-metric-request.ts';

export const scriptedMetric: MetricKind<ScriptedMetricAggregation, ScriptedMetricPartial> = {
  family: 'metric',
  kind: 'scriptedMetric',
  parsers: { scripted_metric: parseScriptedMetric },
  read: readScriptedMetric,
  partial: SCRIPTED_METRIC_PARTIAL,
  reduceUnits: 0.2,
  isWholeAlone: true,
  resultType: () => 'scripted_metric',
  reduce: (_, partials) => ({ kind: 'scriptedMetric', states: partials.flatMap(({ states }) => states) }),
  members: (aggregation, partial) => ({ value: toPlain(reducedValue(aggregation, partial)) }),
  orderMetric: (_aggregation, _named, path) => {
    throw invalidOrderPath(path, 'scripted_metric has no number to order by');
  },
  orderNumber: () => Number.NaN,
  pathNumber: (aggregation, partial, [named]) => {
    if (named !== 'value') throw noNumber(aggregation, 'InternalScriptedMetric');
    const value = reducedValue(aggregation, partial);
    return scriptNumber(value) ?? fail(noNumber(aggregation, scriptClassOf(value).replace(/^.*\./, '')));
  },
};

/** Values by result: of one result the script runs once. */
const VALUES = new WeakMap<ScriptedMetricPartial, unknown>();

function reducedValue({ name, reduce }: ScriptedMetricAggregation, partial: ScriptedMetricPartial): unknown {
  if (VALUES.has(partial)) return VALUES.get(partial);
  assert(reduce !== null, `shards gave states of [${name}], which has no reduce script`);
  const program = programOf(reduce, AGGREGATION_REDUCE_CONTEXT);
  const value = program.run([paramsOf(reduce), [...partial.states]]);
  VALUES.set(partial, value);
  return value;
}

function noNumber({ name }: ScriptedMetricAggregation, found: string): Error {
  return illegalArgument(
    `buckets_path must reference either a number value or a single value numeric metric aggregation, got: [${found}] at aggregation [${name}]`,
  );
}

function fail(error: Error): never {
  throw error;
}
