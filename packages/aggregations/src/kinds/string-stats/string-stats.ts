/**
 * `string_stats`: how long texts are, and how their characters are spread.
 */
import { type ByteSource, DamagedBytes, DoubleNumber, illegalArgument, type ValueReader } from '@shoal/core';
import type { MetricKind } from '../../contract/aggregation-kind.ts';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import type { LeafPartialKind } from '../../contract/partial-kind.ts';
import { severalValues } from '../../contract/path-context.ts';
import type { Members } from '../../render/members.ts';
import { invalidOrderPath } from '../../request/bucket-order.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';
import type { PartialNode } from '../../tree/partial-node.ts';
import { printDecimal } from '../../values/decimal-pattern.ts';
import { readItems } from '../../wire/wire-list.ts';

export interface StringStatsAggregation extends AggregationNode {
  readonly kind: 'stringStats';
  readonly source: ValuesSource;
  /** Shows how often each character comes. */
  readonly showsDistribution: boolean;
}

export interface StringStatsPartial extends PartialNode {
  readonly kind: 'stringStats';
  readonly count: number;
  /** Characters of all texts, as Java counts them: UTF-16 units. */
  readonly totalLength: number;
  /** +Infinity without texts. */
  readonly minLength: number;
  /** -Infinity without texts. */
  readonly maxLength: number;
  /** How often each character comes, by its code. */
  readonly characters: ReadonlyMap<number, number>;
}

const EMPTY: StringStatsPartial = {
  kind: 'stringStats',
  count: 0,
  totalLength: 0,
  minLength: Number.POSITIVE_INFINITY,
  maxLength: Number.NEGATIVE_INFINITY,
  characters: new Map(),
};

const CODE_MAX = 0xffff;

const STRING_STATS_PARTIAL: LeafPartialKind<StringStatsPartial> = {
  family: 'leaf',
  kind: 'stringStats',
  units: 5,
  write: (sink, { count, totalLength, minLength, maxLength, characters }) => {
    for (const number of [count, totalLength, minLength, maxLength]) sink.f64(number);
    sink.varint(characters.size);
    for (const [code, times] of characters) {
      sink.varint(code);
      sink.f64(times);
    }
  },
  read: (from) => {
    const [count, totalLength, minLength, maxLength] = [from.f64(), from.f64(), from.f64(), from.f64()];
    const characters = new Map(readItems(from, () => [readCode(from), from.f64()] as const));
    return { kind: 'stringStats', count, totalLength, minLength, maxLength, characters };
  },
  emptied: () => EMPTY,
};

function readCode(from: ByteSource): number {
  const code = from.varint();
  if (code > CODE_MAX) throw new DamagedBytes(`${code} is no character`);
  return code;
}

const parseStringStats: AggregationParser<StringStatsAggregation> = (named, options) => {
  const source = parseValuesSource(options);
  return { ...named, kind: 'stringStats', source, showsDistribution: options.boolean('show_distribution', false) };
};

function readStringStats(r: ValueReader, named: NamedParts): StringStatsAggregation {
  const [source, showsDistribution] = [readValuesSource(r.object('source')), r.boolean('showsDistribution')];
  return { ...named, kind: 'stringStats', source, showsDistribution };
}

export const stringStats: MetricKind<StringStatsAggregation, StringStatsPartial> = {
  family: 'metric',
  kind: 'stringStats',
  parsers: { string_stats: parseStringStats },
  read: readStringStats,
  partial: STRING_STATS_PARTIAL,
  reduceUnits: 5,
  isWholeAlone: true,
  resultType: () => 'string_stats',
  reduce: (_, partials) => {
    const characters = new Map<number, number>();
    let { count, totalLength, minLength, maxLength } = EMPTY;
    for (const partial of partials) {
      count += partial.count;
      totalLength += partial.totalLength;
      minLength = Math.min(minLength, partial.minLength);
      maxLength = Math.max(maxLength, partial.maxLength);
      for (const [code, times] of partial.characters) characters.set(code, (characters.get(code) ?? 0) + times);
    }
    return { kind: 'stringStats', count, totalLength, minLength, maxLength, characters };
  },
  members: renderStringStats,
  orderMetric: (_aggregation, _named, path) => {
    throw invalidOrderPath(path, 'string_stats has no number to order by');
  },
  orderNumber: () => Number.NaN,
  pathNumber: ({ name }, partial, [metric]) => {
    if (metric === undefined) throw severalValues(name);
    return valueOfMetric(partial, metric);
  },
};

function valueOfMetric(partial: StringStatsPartial, metric: string): number {
  switch (metric) {
    case 'count':
      return partial.count;
    case 'min_length':
      return partial.minLength;
    case 'max_length':
      return partial.maxLength;
    case 'avg_length':
      return partial.totalLength / partial.count;
    case 'entropy':
      return entropyOf(partial);
    default:
      throw illegalArgument(`Unknown value [${metric}] in string stats aggregation`);
  }
}

/** Bits of information that a character has (C. Shannon, 1948). */
function entropyOf({ characters, totalLength }: StringStatsPartial): number {
  let sum = 0;
  for (const times of characters.values()) {
    const share = times / totalLength;
    sum += share * Math.log2(share);
  }
  return characters.size === 0 ? 0 : -sum;
}

function renderStringStats(
  { source: { format }, showsDistribution }: StringStatsAggregation,
  partial: StringStatsPartial,
): Members {
  const { count, totalLength, minLength, maxLength } = partial;
  if (count === 0) {
    const nothing = { count, min_length: null, max_length: null, avg_length: null, entropy: new DoubleNumber(0) };
    return showsDistribution ? { ...nothing, distribution: null } : nothing;
  }
  const [average, entropy] = [totalLength / count, entropyOf(partial)];
  const shares = [...partial.characters]
    .sort(([a, x], [b, y]) => y - x || a - b)
    .map(([code, times]) => [String.fromCharCode(code), times / totalLength] as const);
  const text = (value: number): string | undefined => (format === null ? undefined : printDecimal(value, format));
  const named = (of: (share: number) => unknown): ReadonlyMap<string, unknown> | undefined =>
    showsDistribution ? new Map(shares.map(([character, share]) => [character, of(share)])) : undefined;
  return {
    count,
    min_length: minLength,
    max_length: maxLength,
    avg_length: new DoubleNumber(average),
    entropy: new DoubleNumber(entropy),
    distribution: named((share) => new DoubleNumber(share)),
    avg_length_as_string: text(average),
    entropy_as_string: text(entropy),
    distribution_as_string: format === null ? undefined : named(text),
  };
}
