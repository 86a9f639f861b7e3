/**
 * Order of the documents of a merge in an index with an index sort: by their sort values, those with the same ones as they stood,
 * segment after segment.
 *
 * Ranges that are in order already are merged with each other until one is left. Segments of such an index are sorted, so that a merge
 * has as many ranges as segments; a segment that was just written has many.
 */
import { assert } from '@shoal/core';
import { GrowableU32 } from '../../bytes/growable-arrays.ts';
import { isLive } from '../../format/flat-segment.ts';
import { type MergedDocs, type MergeInput, mapDocs } from '../stored/doc-map.ts';
import { type DocSortKey, type SortColumn, sortColumn } from './sort-column.ts';

/** Comparisons between two yields: a millisecond of work or less. */
const COMPARISONS_PER_STEP = 8_192;

/** Where the live documents go. Yields every millisecond or so. */
export function* sortDocs(inputs: readonly MergeInput[], keys: readonly DocSortKey[]): Generator<void, MergedDocs> {
  const plain = mapDocs(inputs);
  if (keys.length === 0 || plain.docCount === 0) return plain;
  const columns: SortColumn[][] = [];
  for (const { segment } of inputs) {
    const own: SortColumn[] = [];
    for (const key of keys) own.push(yield* sortColumn(segment, key));
    columns.push(own);
  }
  const docs = new SortedDocs(inputs, { keys, columns, docCount: plain.docCount });
  const runs = yield* docs.findRuns();
  if (runs.length <= 1) return plain;
  yield* docs.mergeRuns(runs);
  return docs.maps(inputs, plain);
}

class SortedDocs {
  private readonly keys: readonly DocSortKey[];
  private readonly columns: readonly (readonly SortColumn[])[];
  /** Input and document of each live document, as they stand in the inputs. */
  private readonly owners: Uint32Array;
  private readonly docs: Uint32Array;
  /** Live documents by their numbers in those, in the order that was reached. */
  private order: Uint32Array;
  private room: Uint32Array;
  private comparisons = 0;

  constructor(
    inputs: readonly MergeInput[],
    parts: {
      readonly keys: readonly DocSortKey[];
      readonly columns: readonly (readonly SortColumn[])[];
      readonly docCount: number;
    },
  ) {
    const { keys, columns, docCount } = parts;
    this.keys = keys;
    this.columns = columns;
    this.owners = new Uint32Array(docCount);
    this.docs = new Uint32Array(docCount);
    let at = 0;
    for (const [i, { segment, live }] of inputs.entries()) {
      for (let doc = 0; doc < segment.docCount; doc++) {
        if (live !== null && !isLive(live, doc)) continue;
        this.owners[at] = i;
        this.docs[at++] = doc;
      }
    }
    assert(at === docCount, `${at} live documents of ${docCount}`);
    this.order = Uint32Array.from({ length: docCount }, (_, i) => i);
    this.room = new Uint32Array(docCount);
  }

  private compare(a: number, b: number): number {
    this.comparisons++;
    const own = this.columns[this.owners[a] as number] as readonly SortColumn[];
    const others = this.columns[this.owners[b] as number] as readonly SortColumn[];
    const [docA, docB] = [this.docs[a] as number, this.docs[b] as number];
    for (let k = 0; k < this.keys.length; k++) {
      const key = this.keys[k] as DocSortKey;
      const [one, other] = [own[k] as SortColumn, others[k] as SortColumn];
      const [has, hasOther] = [one.has(docA), other.has(docB)];
      if (has !== hasOther) return has === key.isMissingFirst ? 1 : -1;
      const order = has ? one.compare(docA, other, docB) : 0;
      if (order !== 0) return key.isDescending ? -order : order;
    }
    return 0;
  }

  private isPause(): boolean {
    if (this.comparisons < COMPARISONS_PER_STEP) return false;
    this.comparisons = 0;
    return true;
  }

  /** Starts of the ranges that are in order. */
  *findRuns(): Generator<void, GrowableU32> {
    const runs = new GrowableU32();
    runs.push(0);
    for (let i = 1; i < this.order.length; i++) {
      if (this.compare(i - 1, i) > 0) runs.push(i);
      if (this.isPause()) yield;
    }
    return runs;
  }

  *mergeRuns(first: GrowableU32): Generator<void, void> {
    const end = this.order.length;
    let runs = first;
    while (runs.length > 1) {
      const next = new GrowableU32();
      for (let run = 0; run < runs.length; run += 2) {
        const from = runs.at(run);
        const middle = run + 1 < runs.length ? runs.at(run + 1) : end;
        yield* this.mergePair(from, middle, run + 2 < runs.length ? runs.at(run + 2) : end);
        next.push(from);
      }
      [this.order, this.room] = [this.room, this.order];
      runs = next;
    }
  }

  private *mergePair(from: number, middle: number, end: number): Generator<void, void> {
    const { order, room } = this;
    assert(from < middle && middle <= end, `ranges from ${from} and ${middle} to ${end}`);
    let [left, right] = [from, middle];
    for (let to = from; to < end; to++) {
      const takesLeft =
        right >= end || (left < middle && this.compare(order[left] as number, order[right] as number) <= 0);
      room[to] = order[takesLeft ? left++ : right++] as number;
      if (this.isPause()) yield;
    }
  }

  maps(inputs: readonly MergeInput[], { docCount }: MergedDocs): MergedDocs {
    const numbers = inputs.map(({ segment }) => new Int32Array(segment.docCount).fill(-1));
    const owners = new Uint32Array(docCount);
    const docs = new Uint32Array(docCount);
    for (let number = 0; number < docCount; number++) {
      const at = this.order[number] as number;
      const owner = this.owners[at] as number;
      const doc = this.docs[at] as number;
      (numbers[owner] as Int32Array)[doc] = number;
      owners[number] = owner;
      docs[number] = doc;
    }
    const docMaps = numbers.map((own) => ({ length: own.length, base: 0, numbers: own }));
    return { docMaps, docCount, sources: { owners, docs } };
  }
}
