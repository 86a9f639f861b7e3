/**
 * Documents by the networks that their addresses lie in. The network of each distinct address of a segment is found once.
 */
import type { IpPrefixAggregation, PartialResult } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import { decodeTerm, encodeTerm } from '../../../field-types/contract/term-bytes.ts';
import type { OrdinalColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector, ChildBatch } from '../collector/bucket-collector.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { KeyedBuckets } from '../keyed/keyed-buckets.ts';
import { keyedResults } from '../keyed/keyed-results.ts';
import { DocCounts } from '../values/doc-counts.ts';
import type { ResolvedSource } from '../values/field-values.ts';

const ADDRESS_BYTES = 16;
/** Bytes before an IPv4 address that is mapped into IPv6: ten of zeros, two of ones. */
const MAPPED_BYTES = 12;
const MAPPED_PREFIX = [...new Array<number>(10).fill(0), 0xff, 0xff];
const UNKNOWN = -1;
/** Bytes of a network's name and number, about. */
const NETWORK_BYTES = 100;

type Size = Pick<IpPrefixAggregation, 'isIpv6' | 'prefixLength'>;

interface Place {
  readonly children: ChildBatch;
  /** The parent is the request: it has one bucket. */
  readonly isTop: boolean;
}

export class IpPrefixCollector implements BucketCollector {
  readonly #source: ResolvedSource;
  readonly #size: Size;
  readonly #place: Place;
  readonly #buckets: KeyedBuckets;
  /** Numbers of networks by their first addresses. */
  readonly #numbers = new Map<string, number>();
  readonly #networks: string[] = [];
  #column: OrdinalColumn | null = null;
  /** Number of the network of each ordinal of the segment; -1: not looked at yet. */
  #ofOrdinal = new Int32Array(0);

  constructor(source: ResolvedSource, size: Size, place: Place) {
    this.#source = source;
    this.#size = size;
    this.#place = place;
    this.#buckets = new KeyedBuckets(place.children);
  }

  get memoryBytes(): number {
    return this.#buckets.memoryBytes + this.#ofOrdinal.byteLength + this.#networks.length * NETWORK_BYTES;
  }

  enter(view: SegmentView): void {
    this.#column = view.segment.ordinalColumn(this.#source.field);
    this.#ofOrdinal = new Int32Array(this.#column?.valueCount ?? 0).fill(UNKNOWN);
    this.#buckets.enter(null, this.#place.isTop, DocCounts.of(view));
    this.#place.children.enter(view);
  }

  collect({ docs, count }: DocBatch, parents: Uint32Array): void {
    const column = this.#column;
    const { missing } = this.#source;
    const ofMissing = missing === null ? null : this.#numberOf(encodeTerm(String(missing), 'latin1'));
    /** Networks of the document: several addresses in one count once. */
    const seen = new Set<number>();
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      const parent = parents[i] as number;
      const from = column?.start(doc) ?? 0;
      const end = column?.start(doc + 1) ?? 0;
      if (from === end && ofMissing !== null) this.#buckets.add(doc, parent, ofMissing);
      if (from === end || column === null) continue;
      if (end - from > 1) seen.clear();
      for (let at = from; at < end; at++) {
        const network = this.#ofColumn(column, column.ordinal(at));
        if (end - from > 1 && seen.has(network)) continue;
        if (end - from > 1) seen.add(network);
        this.#buckets.add(doc, parent, network);
      }
    }
  }

  #ofColumn(column: OrdinalColumn, ordinal: number): number {
    const known = this.#ofOrdinal[ordinal] as number;
    if (known !== UNKNOWN) return known;
    const number = this.#numberOf(column.value(ordinal));
    this.#ofOrdinal[ordinal] = number;
    return number;
  }

  #numberOf(address: Uint8Array): number {
    const first = decodeTerm(firstOfNetwork(address, this.#size), 'latin1');
    const known = this.#numbers.get(first);
    if (known !== undefined) return known;
    const number = this.#networks.push(first) - 1;
    this.#numbers.set(first, number);
    return number;
  }

  *leave(meter: StepMeter): Steps<void> {
    yield* this.#buckets.leave(meter);
    yield* this.#place.children.leave(meter);
    this.#column = null;
  }

  *results(parents: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const keyOf = (number: number): string => this.#networks[number] ?? '';
    const run = { buckets: this.#buckets, children: this.#place.children, isSorted: false, keyOf };
    const lists = yield* keyedResults(run, parents, meter);
    return lists.map((buckets) => ({ kind: 'ipPrefix', buckets }));
  }
}

/**
 * First address of the network. Networks of IPv4 are found by the last four bytes, those of IPv6 by all: what an address of the other
 * family comes to is Elasticsearch's rule.
 */
function firstOfNetwork(address: Uint8Array, { isIpv6, prefixLength }: Size): Uint8Array {
  assert(address.length === ADDRESS_BYTES, `an address of ${address.length} bytes`);
  const start = isIpv6 ? 0 : MAPPED_BYTES;
  const first = Uint8Array.from(address);
  if (!isIpv6) first.set(MAPPED_PREFIX);
  for (let i = start; i < ADDRESS_BYTES; i++) {
    const bits = Math.min(8, Math.max(0, prefixLength - (i - start) * 8));
    first[i] = (first[i] as number) & (0xff00 >> bits);
  }
  return first;
}
