/**
 * Partial result of `scripted_metric`: what the combine scripts of the shards gave, in the order of the shards.
 */
import { readScriptValue, writeScriptValue } from '@shoal/script';
import type { LeafPartialKind } from '../../contract/partial-kind.ts';
import type { PartialNode } from '../../tree/partial-node.ts';
import { readItems } from '../../wire/wire-list.ts';

export interface ScriptedMetricPartial extends PartialNode {
  readonly kind: 'scriptedMetric';
  /** Values of scripts. */
  readonly states: readonly unknown[];
}

export const SCRIPTED_METRIC_PARTIAL: LeafPartialKind<ScriptedMetricPartial> = {
  family: 'leaf',
  kind: 'scriptedMetric',
  units: 10,
  write: (sink, { states }) => {
    sink.varint(states.length);
    for (const state of states) writeScriptValue(sink, state);
  },
  read: (from) => ({ kind: 'scriptedMetric', states: readItems(from, () => readScriptValue(from)) }),
  emptied: () => ({ kind: 'scriptedMetric', states: [null] }),
};
