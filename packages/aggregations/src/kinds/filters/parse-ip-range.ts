/**
 * Parses `ip_range`: a bucket for each range of addresses or network.
 */
import { contentError, illegalArgument, type JsonNode, parsingException } from '@shoal/core';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { OptionReader } from '../../request/option-reader.ts';
import { parseFieldSource } from '../../request/values-source.ts';
import { addressesOf, addressNumber, BEHIND_ALL } from './address-range.ts';
import type { BucketFilter, FiltersAggregation } from './filters-request.ts';

export const parseIpRange: AggregationParser<FiltersAggregation> = (named, options) => {
  const { field } = parseFieldSource(options);
  const items = options.list('ranges') ?? [];
  if (items.length === 0) throw illegalArgument(`No [ranges] specified for the [${named.name}] aggregation`);
  const isKeyed = options.boolean('keyed', false);
  const filters = items.map((item) => addressRange(field, item)).sort(compareAddressRanges);
  return { ...named, kind: 'filters', type: 'ip_range', filters, isKeyed, hasListedKeys: !isKeyed, otherKey: null };
};

function addressRange(field: string, node: JsonNode): BucketFilter {
  const options = new OptionReader('ip_range', node);
  const mask = options.string('mask');
  const given = { key: options.string('key'), from: options.string('from'), to: options.string('to') };
  const unread = options.firstUnread();
  if (unread !== null) {
    const cause = parsingException(`Unexpected ip range parameter: [${unread.name}]`, unread.value.at);
    throw contentError(unread.value.at, '[ip_range] failed to parse field [ranges]', cause);
  }
  const { from, to } = mask === null ? given : addressesOf(mask);
  for (const end of [from, to]) if (end !== null) addressNumber(end);
  const key = given.key ?? mask ?? `${from ?? '*'}-${to ?? '*'}`;
  const ends = { includesFrom: true, includesTo: false, format: null, timeZone: null };
  return {
    key,
    from,
    to,
    query: { kind: 'range', field, from, to, ...ends, relation: 'intersects', boost: 1, name: null },
  };
}

function compareAddressRanges(a: BucketFilter, b: BucketFilter): number {
  const number = (end: string | null, open: bigint): bigint => (end ? addressNumber(end) : open);
  const [fromA, fromB] = [number(a.from, -1n), number(b.from, -1n)];
  if (fromA !== fromB) return fromA < fromB ? -1 : 1;
  const [toA, toB] = [number(a.to, BEHIND_ALL), number(b.to, BEHIND_ALL)];
  return toA < toB ? -1 : Number(toA > toB);
}
