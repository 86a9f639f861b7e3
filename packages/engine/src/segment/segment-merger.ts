/**
 * Several segments to one, deleted documents left out: postings, columns and stored documents are copied, never analysed
 * again.
 *
 * A generator that yields every few thousand copied things, so that the owner can serve others in between. The inputs are
 * immutable; deletes that come meanwhile are the owner's business (`docMaps` says where a document went).
 */
import { assert, ByteSink } from '@shoal/core';
import { compareBytes } from '../bytes/compare-bytes.ts';
import { GrowableU32 } from '../bytes/growable-arrays.ts';
import { PLAIN_MEMORY, type SegmentMemory } from '../kernels/kernel-memory.ts';
import type { FlatCursor } from './flat-cursor.ts';
import type { FlatTerms } from './flat-postings.ts';
import { FlatSegment, isLive, PART_NORMS, PART_NUMBERS, PART_ORDINALS, PART_TERMS } from './flat-segment.ts';
import { NumberColumnBuffer } from './number-column.ts';
import { writeOrdinalColumn } from './ordinal-column.ts';
import { PostingsWriter } from './postings-writer.ts';
import { ContainerWriter, writeSectionRef } from './segment-container.ts';
import { NO_MORE_DOCS, type PostingsCursor } from './segment-reader.ts';
import { StoredBuffer } from './stored-buffer.ts';

/** Copied documents or postings between two yields: about a millisecond of work. */
const WORK_PER_STEP = 4_096;
const WORK_OF_DOCUMENT = 8;
/** Room of a merged segment beside that of its inputs. */
const ROOM_MIN = 1 << 16;

export interface MergeInput {
  readonly segment: FlatSegment;
  /** As it was when the merge began; null when all documents are live. */
  readonly live: Uint8Array | null;
}

export interface MergeOutput {
  readonly segment: FlatSegment;
  /** New ordinal of each document of each input; -1 where it was deleted. */
  readonly docMaps: readonly Int32Array[];
}

/**
 * The merged segment is held by the caller; null when no document is left. Each `next()` is one step of work, between two
 * of which the caller may write what `stored` holds to its file.
 */
export function* mergeSegments(
  name: string,
  inputs: readonly MergeInput[],
  memory: SegmentMemory = PLAIN_MEMORY,
  stored: StoredBuffer = new StoredBuffer(),
): Generator<void, MergeOutput | null> {
  const { docMaps, docCount } = mapDocs(inputs);
  if (docCount === 0) return null;
  const placed = memory.reserve(inputs.reduce((sum, { segment }) => sum + segment.bytes.length, ROOM_MIN));
  let isPlaced = false;
  try {
    const bytes = yield* mergeInto(placed.bytes, name, inputs, { docMaps, docCount }, stored);
    const options = { stored: stored.bytes, isTrusted: true };
    // Outgrown where deletes make a merged segment larger than its inputs, which is rare.
    if (bytes.buffer !== placed.bytes.buffer || bytes.byteOffset !== placed.bytes.byteOffset)
      return { segment: FlatSegment.open(bytes, name, memory, options), docMaps };
    placed.shrink(bytes.length);
    isPlaced = true;
    return { segment: FlatSegment.openPlaced(placed, name, memory, options), docMaps };
  } finally {
    // Also when the merge is given up half way.
    if (!isPlaced) placed.release();
  }
}

/** Writes the merged segment into `room` if it fits; returns its bytes. */
function* mergeInto(
  room: Uint8Array,
  name: string,
  inputs: readonly MergeInput[],
  { docMaps, docCount }: MergedDocs,
  stored: StoredBuffer,
): Generator<void, Uint8Array> {
  const merge = new Merge(inputs, docMaps, docCount, room);
  merge.directory.text(name);
  merge.directory.u32(docCount);
  yield* merge.copyStored(stored);
  const fieldNames = new Set(inputs.flatMap((input) => input.segment.fieldNames));
  merge.directory.u32(fieldNames.size);
  for (const field of fieldNames) {
    merge.directory.text(field);
    yield* merge.copyField(field);
  }
  return merge.container.finish(merge.directory.written());
}

interface MergedDocs {
  readonly docMaps: readonly Int32Array[];
  readonly docCount: number;
}

function mapDocs(inputs: readonly MergeInput[]): MergedDocs {
  let docCount = 0;
  const docMaps = inputs.map(({ segment, live }) => {
    const map = new Int32Array(segment.docCount);
    for (let doc = 0; doc < segment.docCount; doc++) {
      map[doc] = live === null || isLive(live, doc) ? docCount++ : -1;
    }
    return map;
  });
  return { docMaps, docCount };
}

class Merge {
  readonly container: ContainerWriter;
  readonly directory = new ByteSink(1 << 12);
  private readonly inputs: readonly MergeInput[];
  private readonly docMaps: readonly Int32Array[];
  private readonly docCount: number;
  private work = 0;

  constructor(inputs: readonly MergeInput[], docMaps: readonly Int32Array[], docCount: number, room: Uint8Array) {
    this.inputs = inputs;
    this.docMaps = docMaps;
    this.docCount = docCount;
    this.container = new ContainerWriter(room);
  }

  /** True when it is time to let others work. */
  private isPause(done = 1): boolean {
    this.work += done;
    if (this.work < WORK_PER_STEP) return false;
    this.work = 0;
    return true;
  }

  *copyStored(stored: StoredBuffer): Generator<void, void> {
    for (const [i, { segment }] of this.inputs.entries()) {
      // Blocks may be decompressed and compressed: dearer than a posting.
      const steps = stored.addSegment(segment.stored, this.docMaps[i] as Int32Array);
      for (const docs of steps) if (this.isPause(docs * WORK_OF_DOCUMENT)) yield;
    }
    stored.finish(this.container, this.directory);
  }

  *copyField(field: string): Generator<void, void> {
    const parts = this.inputs.map(({ segment }) => segment.parts(field));
    const hasTerms = parts.some((part) => part?.terms != null);
    const hasOrdinals = parts.some((part) => part?.ordinals != null);
    const hasNorms = parts.some((part) => part?.norms != null);
    const numbers = yield* this.collectNumbers(field);
    this.directory.u8(
      (hasTerms ? PART_TERMS : 0) |
        (hasOrdinals ? PART_ORDINALS : 0) |
        (numbers === null ? 0 : PART_NUMBERS) |
        (hasNorms ? PART_NORMS : 0),
    );
    const norms = hasNorms ? this.mergeNorms(parts.map((part) => part?.norms ?? null)) : null;
    if (hasTerms) {
      const merged = new TermMerge(field, this.inputs, this.docMaps, norms, this.docCount);
      while (merged.step()) if (this.isPause(merged.lastWork)) yield;
      merged.writer.finish(this.container, this.directory, merged.docsWithTerms());
      if (hasOrdinals) this.writeOrdinals(field, merged);
    }
    numbers?.write(this.docCount, this.container, this.directory);
    if (norms !== null) writeSectionRef(this.directory, this.container.section(norms));
    yield;
  }

  private mergeNorms(inputs: readonly (Uint8Array | null)[]): Uint8Array {
    const norms = new Uint8Array(this.docCount);
    for (const [i, from] of inputs.entries()) {
      const map = this.docMaps[i] as Int32Array;
      for (let doc = 0; from !== null && doc < map.length; doc++) {
        const to = map[doc] as number;
        if (to >= 0) norms[to] = from[doc] as number;
      }
    }
    return norms;
  }

  private *collectNumbers(field: string): Generator<void, NumberColumnBuffer | null> {
    let out: NumberColumnBuffer | null = null;
    for (const [i, { segment }] of this.inputs.entries()) {
      const column = segment.numericColumn(field);
      if (column === null) continue;
      out ??= new NumberColumnBuffer(column.kind);
      const map = this.docMaps[i] as Int32Array;
      for (let doc = 0; doc < segment.docCount; doc++) {
        const to = map[doc] as number;
        if (to < 0) continue;
        const end = column.start(doc + 1);
        for (let at = column.start(doc); at < end; at++)
          out.add(to, column.isWide ? column.bigValue(at) : column.value(at));
        if (this.isPause()) yield;
      }
    }
    return out?.isEmpty === false ? out : null;
  }

  private writeOrdinals(field: string, terms: TermMerge): void {
    const counts = new Uint32Array(this.docCount);
    const ordinals = new GrowableU32();
    for (const [i, { segment }] of this.inputs.entries()) {
      const column = segment.parts(field)?.ordinals ?? null;
      if (column === null) continue;
      const map = this.docMaps[i] as Int32Array;
      const ordinalMap = terms.ordinalMaps[i] as Int32Array;
      for (let doc = 0; doc < segment.docCount; doc++) {
        const to = map[doc] as number;
        if (to < 0) continue;
        const from = column.start(doc);
        const end = column.start(doc + 1);
        counts[to] = end - from;
        for (let at = from; at < end; at++) ordinals.push(ordinalMap[column.ordinal(at)] as number);
      }
    }
    writeOrdinalColumn(counts, ordinals.view(), terms.writer.termCount, this.container, this.directory);
  }
}

/** Merges the sorted terms of one field, a term a step. */
class TermMerge {
  readonly writer: PostingsWriter;
  /** New ordinal of each term of each input; -1 where no live document has it. */
  readonly ordinalMaps: readonly Int32Array[];
  lastWork = 0;
  private readonly terms: readonly (FlatTerms | null)[];
  private readonly docMaps: readonly Int32Array[];
  private readonly hasPostings: boolean;
  private readonly next: Uint32Array;
  private readonly seen: Uint8Array;
  /** Values that live documents have, by input, when there are no postings to tell. */
  private readonly used: readonly (Uint8Array | null)[];
  private positions = new Uint32Array(64);
  /** The next term of each input; null behind its last. */
  private readonly heads: (Uint8Array | null)[];
  private readonly cursors: readonly (FlatCursor | null)[];
  /** Inputs whose next term is the smallest of all. */
  private readonly holders: Uint32Array;
  private holderCount = 0;

  constructor(
    field: string,
    inputs: readonly MergeInput[],
    docMaps: readonly Int32Array[],
    norms: Uint8Array | null,
    docCount: number,
  ) {
    this.terms = inputs.map(({ segment }) => segment.parts(field)?.terms ?? null);
    const shape = this.terms.find((terms) => terms !== null);
    assert(shape !== null && shape !== undefined, `field ${field} has no terms to merge`);
    this.hasPostings = shape.hasPostings;
    this.writer = new PostingsWriter(shape, norms);
    this.docMaps = docMaps;
    this.ordinalMaps = this.terms.map((terms) => new Int32Array(terms?.size ?? 0).fill(-1));
    this.next = new Uint32Array(inputs.length);
    this.holders = new Uint32Array(inputs.length);
    this.seen = new Uint8Array(docCount);
    this.heads = this.terms.map((terms) => (terms === null || terms.size === 0 ? null : terms.term(0)));
    this.cursors = this.terms.map((terms) => (terms?.hasPostings === true ? terms.newCursor() : null));
    this.used = inputs.map(({ segment }, i) => (this.hasPostings ? null : usedOrdinals(segment, field, docMaps[i])));
  }

  docsWithTerms(): number {
    let count = 0;
    for (const seen of this.seen) count += seen;
    return count;
  }

  /** Merges the smallest next term; false when none is left. */
  step(): boolean {
    const smallest = this.findSmallest();
    if (smallest === null) return false;
    this.lastWork = 1;
    let isBegun = false;
    for (let k = 0; k < this.holderCount; k++) {
      const i = this.holders[k] as number;
      const ordinal = this.next[i] as number;
      const terms = this.terms[i] ?? null;
      this.next[i] = ordinal + 1;
      this.heads[i] = terms !== null && ordinal + 1 < terms.size ? terms.term(ordinal + 1) : null;
      isBegun = this.copy(i, ordinal, smallest, isBegun);
    }
    if (isBegun) this.writer.endTerm();
    return true;
  }

  /** The smallest next term; `holders` are the inputs that have it. */
  private findSmallest(): Uint8Array | null {
    let best: Uint8Array | null = null;
    let count = 0;
    for (let i = 0; i < this.heads.length; i++) {
      const head = this.heads[i] ?? null;
      if (head === null) continue;
      const order = best === null ? -1 : compareBytes(head, 0, head.length, best);
      if (order > 0) continue;
      if (order < 0) {
        best = head;
        count = 0;
      }
      this.holders[count++] = i;
    }
    this.holderCount = count;
    return best;
  }

  /** One input's documents of a term. */
  private postings(i: number, ordinal: number): PostingsCursor | null {
    const terms = this.terms[i] ?? null;
    const cursor = this.cursors[i] ?? null;
    if (terms === null || cursor === null) return null;
    if (terms.isInlined(ordinal)) return terms.postings(ordinal);
    terms.begin(cursor, ordinal);
    return cursor;
  }

  /** Copies one input's share of a term; true once the term is begun. */
  private copy(i: number, ordinal: number, term: Uint8Array, isBegun: boolean): boolean {
    const ordinalMap = this.ordinalMaps[i] as Int32Array;
    if (!this.hasPostings) {
      return this.used[i]?.[ordinal] === 1 ? this.begin(ordinalMap, ordinal, term, isBegun) : isBegun;
    }
    const map = this.docMaps[i] as Int32Array;
    const cursor = this.postings(i, ordinal);
    if (cursor === null) return isBegun;
    this.lastWork += cursor.cost;
    let hasBegun = isBegun;
    let isFirst = true;
    for (let doc = cursor.next(); doc !== NO_MORE_DOCS; doc = cursor.next()) {
      const to = map[doc] as number;
      if (to < 0) continue;
      if (isFirst) hasBegun = this.begin(ordinalMap, ordinal, term, hasBegun);
      isFirst = false;
      const freq = cursor.freq;
      if (freq > this.positions.length) this.positions = new Uint32Array(freq * 2);
      cursor.positions(this.positions);
      this.writer.addDoc(to, freq, this.positions, 0);
      this.seen[to] = 1;
    }
    return hasBegun;
  }

  /** A live document of this input has the term. */
  private begin(ordinalMap: Int32Array, ordinal: number, term: Uint8Array, isBegun: boolean): true {
    if (!isBegun) this.writer.beginTerm(term);
    // The term being written gets its ordinal when it ends.
    ordinalMap[ordinal] = this.writer.termCount;
    return true;
  }
}

function usedOrdinals(segment: FlatSegment, field: string, map: Int32Array | undefined): Uint8Array | null {
  const column = segment.parts(field)?.ordinals ?? null;
  if (column === null || map === undefined) return null;
  const used = new Uint8Array(column.valueCount);
  for (let doc = 0; doc < segment.docCount; doc++) {
    if ((map[doc] as number) < 0) continue;
    for (let at = column.start(doc); at < column.start(doc + 1); at++) used[column.ordinal(at)] = 1;
  }
  return used;
}
