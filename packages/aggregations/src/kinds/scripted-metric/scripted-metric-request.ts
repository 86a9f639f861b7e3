/**
 * Requests of `scripted_metric`: scripts that gather a state on each shard, and one that makes a value of all states.
 */
import type { ValueReader } from '@shoal/core';
import { illegalArgument } from '@shoal/core';
import { jsonText, parseScript, readScript, type ScriptRequest } from '@shoal/script';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import type { OptionReader } from '../../request/option-reader.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

export interface ScriptedMetricAggregation extends AggregationNode {
  readonly kind: 'scriptedMetric';
  /** Fills the empty state of a bucket; null: it stays empty. */
  readonly init: ScriptRequest | null;
  /** Changes the state by one document. */
  readonly map: ScriptRequest;
  /** Makes of the state what leaves the shard; null is refused there. */
  readonly combine: ScriptRequest | null;
  /** Makes the value of what all shards gave; null is refused there. */
  readonly reduce: ScriptRequest | null;
}

export const parseScriptedMetric: AggregationParser<ScriptedMetricAggregation> = (named, options) => {
  const node = options.ofKind('params', ['object']);
  const params = node?.kind === 'object' && node.members.length > 0 ? jsonText(node) : null;
  const map = scriptOf(options, 'map_script', params);
  if (map === null) throw illegalArgument('Required [map_script]');
  return {
    ...named,
    kind: 'scriptedMetric',
    init: scriptOf(options, 'init_script', params),
    map,
    combine: scriptOf(options, 'combine_script', params),
    reduce: scriptOf(options, 'reduce_script', params),
  };
};

/** @param params JSON of those that all scripts of the aggregation are given; null: none */
function scriptOf(options: OptionReader, name: string, params: string | null): ScriptRequest | null {
  const node = options.ofKind(name, ['string', 'object']);
  if (node === null) return null;
  const script = parseScript(node);
  return params === null ? script : { ...script, params: merged(params, script.params) };
}

/** @throws ShoalError where both have a parameter of one name */
function merged(shared: string, own: string): string {
  const [all, more] = [membersOf(shared), membersOf(own)];
  for (const name of more.keys()) {
    if (all.has(name)) throw illegalArgument(`Parameter name "${name}" used in both aggregation and script parameters`);
  }
  if (more.size === 0) return shared;
  return `${shared.slice(0, -1)},${own.slice(1)}`;
}

function membersOf(object: string): ReadonlySet<string> {
  return new Set(Object.keys(JSON.parse(object)));
}

export function readScriptedMetric(r: ValueReader, named: NamedParts): ScriptedMetricAggregation {
  const script = (name: string): ScriptRequest | null => (r.has(name) ? readScript(r.object(name)) : null);
  return {
    ...named,
    kind: 'scriptedMetric',
    init: script('init'),
    map: readScript(r.object('map')),
    combine: script('combine'),
    reduce: script('reduce'),
  };
}
