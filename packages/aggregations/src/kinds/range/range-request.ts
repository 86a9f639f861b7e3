/**
 * Requests of `range`, `date_range` and `geo_distance`.
 */
import { contentError, illegalArgument, type JsonNode, parsingException, tokenName, ValueReader } from '@shoal/core';
import { type QueryValue, readField } from '@shoal/query';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { parseZone } from '../../intervals/zone-option.ts';
import { OptionReader } from '../../request/option-reader.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';
import { type DistanceOrigin, parseDistanceOrigin, readDistanceOrigin } from './distance-origin.ts';

export interface BucketRange {
  /** null: made of the ends. */
  readonly key: string | null;
  /** Inclusive; a date text where the field is a date. null: open. */
  readonly from: QueryValue;
  /** Exclusive. */
  readonly to: QueryValue;
}

const TYPES = ['range', 'date_range', 'geo_distance'] as const;

export interface RangeAggregation extends AggregationNode {
  readonly kind: 'range';
  readonly type: (typeof TYPES)[number];
  readonly source: ValuesSource;
  readonly ranges: readonly BucketRange[];
  readonly isKeyed: boolean;
  /** Zone of date texts that name none; null: UTC. */
  readonly timeZone: string | null;
  /** The values are distances from it; of `geo_distance` alone. */
  readonly origin?: DistanceOrigin;
}

export function rangeParser(type: RangeAggregation['type']): AggregationParser<RangeAggregation> {
  return (named, options) => {
    const source = parseValuesSource(options);
    const ranges = parseRanges(type, options);
    if (ranges.length === 0) throw illegalArgument(`No [ranges] specified for the [${named.name}] aggregation`);
    const isKeyed = options.boolean('keyed', false);
    const timeZone = type === 'date_range' ? parseZone(options) : null;
    return { ...named, kind: 'range', type, source, ranges, isKeyed, timeZone };
  };
}

export const parseGeoDistance: AggregationParser<RangeAggregation> = (named, options, context) => {
  const origin = parseDistanceOrigin(options);
  if (origin === null) throw illegalArgument(`Aggregation [${named.name}] must define an [origin].`);
  return { ...rangeParser('geo_distance')(named, options, context), origin };
};

/** Names of what reads one range: that of dates is read as one of numbers is. */
const RANGE_READERS: Readonly<Partial<Record<string, string>>> = { date_range: 'range' };

function parseRanges(type: string, options: OptionReader): readonly BucketRange[] {
  const node = options.take('ranges');
  if (node === null) return [];
  const reader = RANGE_READERS[type] ?? type;
  return readField(type, { name: 'ranges', value: node, at: node.at }, () => {
    if (node.kind !== 'array')
      throw contentError(node.at, `[${type}] ranges doesn't support values of type: ${tokenName(node)}`);
    return node.items.map((item) => parseRange(reader, item));
  });
}

const RANGE_MEMBERS = ['key', 'from', 'to'];

function parseRange(type: string, node: JsonNode): BucketRange {
  const options = new OptionReader(type, node);
  const range = { key: options.string('key'), from: options.scalar('from'), to: options.scalar('to') };
  if (type === 'geo_distance') refuseUnknown(options);
  options.finish();
  return range;
}

/** @throws ShoalError as the reader of one range of distances words it */
function refuseUnknown(options: OptionReader): void {
  const unknown = options.node.members.find(({ name }) => !RANGE_MEMBERS.includes(name));
  if (unknown === undefined) return;
  throw parsingException(`Failed to parse object: unknown field [${unknown.name}] found`, unknown.value.at);
}

/** Most ranges in a message: a request of ten megabytes has fewer. */
const RANGES_MAX = 10_000_000;

export function readRange(r: ValueReader, named: NamedParts): RangeAggregation {
  const ranges = r.list('ranges', readBucketRange, RANGES_MAX);
  if (ranges.length === 0) r.refuse('ranges', 'at least one range');
  return {
    ...named,
    kind: 'range',
    type: r.oneOf('type', TYPES),
    source: readValuesSource(r.object('source')),
    ranges,
    isKeyed: r.boolean('isKeyed'),
    timeZone: r.optionalString('timeZone'),
    ...(r.has('origin') && { origin: readDistanceOrigin(r.object('origin')) }),
  };
}

function readBucketRange(value: unknown, field: string): BucketRange {
  const r = ValueReader.of(value, field);
  const [from, to] = [r.item('from', ValueReader.asScalar), r.item('to', ValueReader.asScalar)];
  return { key: r.optionalString('key'), from, to };
}
