/**
 * Requests of `t_test`.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';
import { parseQuery, type Query, readQuery } from '@shoal/query';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import type { OptionReader } from '../../request/option-reader.ts';
import { checkNumericType } from '../../request/value-type.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

/** Differences within documents, or two populations: of equal variance, or of any. */
const TYPES = ['paired', 'homoscedastic', 'heteroscedastic'] as const;

export interface Population {
  readonly source: ValuesSource;
  /** Documents that are of the population; null: all. */
  readonly filter: Query | null;
}

export interface TTestAggregation extends AggregationNode {
  readonly kind: 'tTest';
  readonly testType: (typeof TYPES)[number];
  /** Sides of the distribution that count: 1 or 2. */
  readonly tails: number;
  readonly format: string | null;
  readonly a: Population;
  readonly b: Population;
}

export const parseTTest: AggregationParser<TTestAggregation> = (named, options) => {
  const [a, b] = [parsePopulation(options, 'a'), parsePopulation(options, 'b')];
  const testType = parseType(options.string('type'));
  const tails = options.integer('tails') ?? 2;
  if (tails < 1 || tails > 2) throw illegalArgument(`[tails] must be 1 or 2. Found [${tails}] in [${named.name}]`);
  const format = options.string('format');
  checkNumericType(options);
  if (testType === 'paired') {
    if (a.filter !== null || b.filter !== null) throw illegalArgument("Paired t-test doesn't support filters");
  } else if (a.filter === null && b.filter === null && a.source.field !== '' && a.source.field === b.source.field) {
    throw illegalArgument(
      `The same field [${a.source.field}] is used for both population but no filters are specified.`,
    );
  }
  return { ...named, kind: 'tTest', testType, tails, format, a, b };
};

function parseType(text: string | null): TTestAggregation['testType'] {
  if (text === null) return 'heteroscedastic';
  const type = TYPES.find((known) => known === text.toLowerCase());
  if (type !== undefined) return type;
  throw illegalArgument(`No enum constant org.elasticsearch.xpack.analytics.ttest.TTestType.${text.toUpperCase()}`);
}

function parsePopulation(options: OptionReader, name: string): Population {
  const inner = options.object(name);
  if (inner === null) throw illegalArgument(`Required [${name}]`);
  const source = parseValuesSource(inner);
  const filter = inner.ofKind('filter', ['object']);
  inner.finish();
  if (source.field !== '' && source.script !== null) {
    throw illegalArgument('[field] and [script] cannot both be configured.  Please specify one or the other.');
  }
  return { source, filter: filter && parseQuery(filter) };
}

export function readTTest(r: ValueReader, named: NamedParts): TTestAggregation {
  return {
    ...named,
    kind: 'tTest',
    testType: r.oneOf('testType', TYPES),
    tails: r.integer('tails', 1, 2),
    format: r.optionalString('format'),
    a: readPopulation(r.object('a')),
    b: readPopulation(r.object('b')),
  };
}

function readPopulation(r: ValueReader): Population {
  const filter = r.has('filter') ? readQuery(r.object('filter')) : null;
  return { source: readValuesSource(r.object('source')), filter };
}
