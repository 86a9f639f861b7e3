/**
 * A search in packed form: the coordinator parses a request and packs its tree once, all shards of the search are sent the same bytes,
 * and the thread that owns a shard reads them. Nobody in between looks into them.
 */
import { type AggregationLevel, readAggregations } from '@shoal/aggregations';
import { assert, malformedMessage, RecentEntries, ValueReader } from '@shoal/core';
import { type Query, readQuery, readSearchRequest, writeSearchRequest } from '@shoal/query';
import type { QueryShardRequest, ShardSearch } from '@shoal/shard-api';
import { createMessageCodec, MESSAGE_LIMITS, type MessageCodec } from '@shoal/transport';
import type { PackedShardQuery } from './query-phase.ts';

/** Nesting of a packed search: that of a request's JSON, of which `meta` may use all, and what its tree adds. */
const DEPTH_MAX = 1_200;
/** Integers beyond 64 bits have no form in a message: a map with this one name stands for each, its value their digits. */
const WIDE_INTEGER = '\u0000integer';
/** Longest packed search that is remembered as it was read, and how many are. */
const REPEATED_BYTES_MAX = 1_024;
const REPEATED_MAX = 256;
const DIGITS_MAX = 1_000_000;

type Written = Readonly<Record<string, unknown>>;

export class SearchCodec {
  /** Searches read before, by their bytes: the same small ones come again and again. */
  readonly #read = new RecentEntries<ShardSearch>(REPEATED_MAX);
  readonly #codec: MessageCodec = createMessageCodec({ ...MESSAGE_LIMITS, depthMax: DEPTH_MAX });

  packSearch({ request, aggregations }: ShardSearch): Uint8Array {
    return this.#pack({ request: writeSearchRequest(request), aggregations });
  }

  /** @throws ShoalError `malformed_message_exception` for bytes that are no packed search */
  readSearch(bytes: Uint8Array): ShardSearch {
    if (bytes.length > REPEATED_BYTES_MAX) return this.#readAnew(bytes);
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    const search = this.#readAnew(bytes);
    this.#read.set(key, search);
    return search;
  }

  #readAnew(bytes: Uint8Array): ShardSearch {
    const r = this.#open(bytes);
    return {
      request: readSearchRequest(r.object('request')),
      aggregations: r.optional('aggregations', readLevel),
    };
  }

  packQuery(query: Query): Uint8Array {
    return this.#pack({ query });
  }

  /** @throws ShoalError `malformed_message_exception` for bytes that are no packed query */
  readQuery(bytes: Uint8Array): Query {
    return readQuery(this.#open(bytes).object('query'));
  }

  /** What one shard is asked. @throws ShoalError as `readSearch` */
  readShardQuery(packed: PackedShardQuery): QueryShardRequest {
    const { search, aliasFilter } = packed;
    // One by one: a spread costs as much as the rest of it.
    return {
      packed: { search, aliasFilter },
      search: this.readSearch(search),
      aliasFilter: aliasFilter === null ? null : this.readQuery(aliasFilter),
      topN: packed.topN,
      nowMs: packed.nowMs,
      keepAliveMs: packed.keepAliveMs,
      shardIndex: packed.shardIndex,
      reader: packed.reader,
      isScroll: packed.isScroll,
      statistics: packed.statistics,
      indexBoost: packed.indexBoost,
      canSkip: packed.canSkip,
      usesCache: packed.usesCache,
    };
  }

  #pack(tree: Written): Uint8Array {
    // A copy: what the codec returns is a view of memory that it goes on using.
    const packed = new Uint8Array(this.#encode(tree));
    const { byteLength, buffer } = packed;
    assert(
      byteLength === buffer.byteLength,
      `a packed search of ${byteLength} bytes in a buffer of ${buffer.byteLength}`,
    );
    return packed;
  }

  #encode(tree: Written): Uint8Array {
    try {
      return this.#codec.encode({ tree, hasWideIntegers: false });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return this.#codec.encode({ tree: withoutWideIntegers(tree), hasWideIntegers: true });
    }
  }

  #open(bytes: Uint8Array): ValueReader {
    const decoded = this.#codec.decode(bytes);
    if (decoded.kind === 'fault') throw malformedMessage(`a packed search cannot be read: ${decoded.reason}`);
    const r = ValueReader.of(decoded.value);
    if (!r.boolean('hasWideIntegers')) return r.object('tree');
    return ValueReader.of(withWideIntegers(r.raw('tree')));
  }
}

function readLevel(value: unknown, path: string): AggregationLevel {
  return readAggregations(ValueReader.of(value, path));
}

/** 64 bits, with a sign or without. */
function isWide(value: bigint): boolean {
  return BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value;
}

function withoutWideIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') return isWide(value) ? { [WIDE_INTEGER]: String(value) } : value;
  return mapped(value, withoutWideIntegers);
}

function withWideIntegers(value: unknown): unknown {
  const inner = mapped(value, withWideIntegers);
  if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, WIDE_INTEGER)) return inner;
  const digits = ValueReader.of(inner).string(WIDE_INTEGER);
  if (digits.length > DIGITS_MAX || !/^-?\d+$/.test(digits)) throw malformedMessage('a wide integer has no digits');
  return BigInt(digits);
}

/** Items of a list or values of a map, each changed; other values as they are. */
function mapped(value: unknown, change: (inner: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(change);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner)]));
}
