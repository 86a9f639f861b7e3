/**
 * Requests of `matrix_stats`.
 */
import { illegalArgument, type JsonNode, parsingException, tokenName, ValueReader } from '@shoal/core';
import { type QueryValue, readQueryValue } from '@shoal/query';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import type { OptionReader } from '../../request/option-reader.ts';
import { readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

const MODES = ['avg', 'min', 'max', 'sum', 'median'] as const;
type MatrixMode = (typeof MODES)[number];

export interface MatrixStatsAggregation extends AggregationNode {
  readonly kind: 'matrixStats';
  /** Fields that are compared, each once. */
  readonly sources: readonly ValuesSource[];
  /** Which number stands for several values of a document. */
  readonly mode: MatrixMode;
}

/** Fields that one matrix may have: it has the square of them as cells. */
const FIELDS_MAX = 500;

export const parseMatrixStats: AggregationParser<MatrixStatsAggregation> = (named, options) => {
  const given = options.take('fields');
  const missing = missingValues(options);
  const mode = parseMode(options.string('mode'));
  // Numbers of the answer have names, not formats.
  options.ignore('format');
  for (const { name, value, at } of options.node.members) {
    if (!KNOWN.has(name))
      throw parsingException(`Unexpected token ${tokenName(value)} [${name}] in [${named.name}].`, at);
  }
  const nodes = given === null ? [] : given.kind === 'array' ? given.items : [given];
  const fields = new Set(nodes.map((node) => fieldOf(node, named.name)));
  if (fields.size > FIELDS_MAX) throw illegalArgument(`[matrix_stats] has more than [${FIELDS_MAX}] fields`);
  const sources = [...fields].map((field): ValuesSource => {
    return { field, missing: missing.get(field) ?? null, format: null, valueType: null, script: null };
  });
  return { ...named, kind: 'matrixStats', sources, mode };
};

const KNOWN = new Set(['fields', 'missing', 'mode', 'format']);

function fieldOf(node: JsonNode, aggregation: string): string {
  if (node.kind === 'string') return node.value;
  throw parsingException(`Unexpected token ${tokenName(node)} [fields] in [${aggregation}].`, node.at);
}

function missingValues(options: OptionReader): ReadonlyMap<string, QueryValue> {
  const node = options.ofKind('missing', ['object']);
  const values = new Map<string, QueryValue>();
  if (node?.kind !== 'object') return values;
  for (const { name, value } of node.members) values.set(name, readQueryValue(value, name));
  return values;
}

function parseMode(text: string | null): MatrixMode {
  const mode = MODES.find((one) => one === (text ?? 'avg').toLowerCase());
  if (mode !== undefined) return mode;
  throw illegalArgument(`Illegal sort mode: ${text}`);
}

export function readMatrixStats(r: ValueReader, named: NamedParts): MatrixStatsAggregation {
  const read = (value: unknown, field: string): ValuesSource => readValuesSource(ValueReader.of(value, field));
  return { ...named, kind: 'matrixStats', sources: r.list('sources', read, FIELDS_MAX), mode: r.oneOf('mode', MODES) };
}
