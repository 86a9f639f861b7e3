/**
 * Options that every suggester has: the field, an analyzer in place of the field's, and how many suggestions are wanted.
 */
import { illegalArgument, type JsonMember, ShoalError, type ValueReader } from '@shoal/core';
import { readInteger, readString } from '../members/request-values.ts';

export interface CommonOptions {
  readonly field: string;
  /** null: the search analyzer of the field. */
  readonly analyzer: string | null;
  /** Suggestions shown for one word or text. */
  readonly size: number;
  /** Suggestions of one shard; null: as many as are shown, and at least 5. */
  readonly shardSize: number | null;
}

/** Default `size` of a suggestion. */
export const SIZE_DEFAULT = 5;
/** Largest `size` and `shard_size`: each suggestion is held on the shard and at the coordinator. */
const SIZE_MAX = 10_000;

type Change = Partial<CommonOptions>;

const READERS: ReadonlyMap<string, (member: JsonMember) => Change> = new Map<string, (member: JsonMember) => Change>([
  ['field', (m) => ({ field: readString(m.value, m.name) })],
  ['analyzer', (m) => ({ analyzer: readString(m.value, m.name) })],
  ['size', (m) => ({ size: suggestionSize(readInteger(m.value, m.name)) })],
  ['shard_size', (m) => ({ shardSize: shardSize(readInteger(m.value, m.name)) })],
]);

/** What a member changes of the options; null for one that is none of them. */
export function parseCommonOption(member: JsonMember): Change | null {
  return READERS.get(member.name)?.(member) ?? null;
}

/** Options with the field, which must be given. */
export function withField(options: Change): CommonOptions {
  const { field, analyzer = null, size = SIZE_DEFAULT, shardSize = null } = options;
  if (field === undefined || field === '') {
    throw new ShoalError('parse_exception', 400, 'the required field option [field] is missing');
  }
  return { field, analyzer, size, shardSize };
}

/** Suggestions that a shard gives for one word or text. */
export function suggestionsOfShard({ size, shardSize }: CommonOptions): number {
  return shardSize ?? Math.max(size, SIZE_DEFAULT);
}

export function readCommonOptions(r: ValueReader): CommonOptions {
  return {
    field: r.string('field'),
    analyzer: r.optionalString('analyzer'),
    size: r.integer('size', 1, SIZE_MAX),
    shardSize: r.optionalInteger('shardSize', 1, SIZE_MAX),
  };
}

function suggestionSize(size: number): number {
  if (size <= 0) throw illegalArgument('size must be positive');
  return bounded('size', size);
}

function shardSize(size: number): number {
  if (size <= 0) throw illegalArgument(`ShardSize must be positive but was: ${size}`);
  return bounded('shard_size', size);
}

function bounded(name: string, size: number): number {
  if (size <= SIZE_MAX) return size;
  throw illegalArgument(`[${name}] of a suggestion must not be above [${SIZE_MAX}], got [${size}]`);
}
