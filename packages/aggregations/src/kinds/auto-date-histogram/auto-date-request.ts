/**
 * Requests of `auto_date_histogram`.
 */
import { contentError, illegalArgument, isShoalError, type ValueReader } from '@shoal/core';
import { timeZone } from '@shoal/schema';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { parseZone } from '../../intervals/zone-option.ts';
import { readWhole } from '../../request/number-options.ts';
import type { OptionReader } from '../../request/option-reader.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';
import { AUTO_BUCKETS_MAX, AUTO_UNITS } from './auto-intervals.ts';

export interface AutoDateAggregation extends AggregationNode {
  readonly kind: 'autoDate';
  readonly source: ValuesSource;
  /** Most buckets of the answer. */
  readonly wanted: number;
  /** Position of the finest unit that may be chosen. */
  readonly least: number;
  /** Name of a zone that exists. */
  readonly timeZone: string;
}

const BUCKETS_DEFAULT = 10;

export const parseAutoDate: AggregationParser<AutoDateAggregation> = (named, options) => {
  const source = parseValuesSource(options);
  const wanted = options.integer('buckets') ?? BUCKETS_DEFAULT;
  if (wanted <= 0) {
    throw fieldError(options, 'buckets', `buckets must be greater than 0 for [${named.name}]`);
  }
  if (wanted > AUTO_BUCKETS_MAX) throw illegalArgument(`buckets must be less than ${AUTO_BUCKETS_MAX}`);
  const zone = parseZone(options) ?? 'UTC';
  return { ...named, kind: 'autoDate', source, wanted, least: parseLeast(options), timeZone: zone };
};

function parseLeast(options: OptionReader): number {
  // The Java clients write the option as null where it is not set.
  const name = options.take('minimum_interval') && options.string('minimum_interval');
  if (name === null) return 0;
  const level = AUTO_UNITS.findIndex(({ unit }) => unit === name);
  if (level >= 0) return level;
  const known = 'year, month, hour, minute, day, second';
  throw fieldError(options, 'minimum_interval', `minimum_interval must be one of [[${known}]]`);
}

function fieldError(options: OptionReader, name: string, reason: string): Error {
  const at = options.node.members.find((member) => member.name === name)?.value.at ?? options.node.at;
  const cause = illegalArgument(reason);
  return contentError(at, `[${options.type}] failed to parse field [${name}]`, isShoalError(cause) ? cause : undefined);
}

export function readAutoDate(r: ValueReader, named: NamedParts): AutoDateAggregation {
  const wanted = readWhole(r, 'wanted', 1);
  if (wanted > AUTO_BUCKETS_MAX) r.refuse('wanted', `at most ${AUTO_BUCKETS_MAX}`);
  const least = readWhole(r, 'least', 0);
  if (least >= AUTO_UNITS.length) r.refuse('least', `below ${AUTO_UNITS.length}`);
  return {
    ...named,
    kind: 'autoDate',
    source: readValuesSource(r.object('source')),
    wanted,
    least,
    timeZone: timeZone(r.string('timeZone')).name,
  };
}
