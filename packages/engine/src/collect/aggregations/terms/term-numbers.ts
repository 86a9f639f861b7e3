/**
 * Numbers for the distinct texts of a field over all segments of a shard.
 *
 * They are those of the cached union of the terms. Where there is none, the ordinals of the first segment that is entered are
 * their own numbers, so that matches in one segment alone look no text up; of later segments few texts are looked up one by
 * one, and for many the union is built.
 */
import { assert, type StepMeter, type Steps } from '@shoal/core';
import { FlatSegment } from '../../../format/flat-segment.ts';
import type { OrdinalColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { ShardFielddata } from '../../../memory/fielddata-use.ts';
import type { SegmentUnions, TermUnion } from '../../../memory/union-cache.ts';
import {
  bytesWith,
  leadingLevels,
  levelsShared,
  numberOfTerm,
  type SegmentTerms,
  sizeOf,
  termCountAt,
  termOfNumber,
  unionOfFirst,
  withNextSegment,
} from '../values/term-union.ts';

const UNKNOWN = -1;
/** A level is built when it has fewer terms than this for each one that is looked up: a look-up takes several times as long. */
const TERMS_PER_LOOKUP = 16;
/** Numbers of the levels before that are copied as fast as one term is placed. */
const COPIED_PER_TERM = 64;

export interface TermNumbersOptions {
  /** Whose memory the unions count as; null or left out: nobody's. */
  readonly fielddata?: ShardFielddata | null;
  /** False: the texts of later segments are looked up one by one, however many. */
  readonly buildsUnions?: boolean;
}

export class TermNumbers {
  /** All segments of the searcher. */
  private readonly all: SegmentTerms;
  /** Cached unions that begin with the first segment; null: they are not cached. */
  private readonly unions: SegmentUnions | null;
  private readonly fielddata: ShardFielddata | null;
  private readonly buildsUnions: boolean;
  /** Union in use; null before the first segment with the field. */
  private union: TermUnion | null = null;
  /** Segments of its levels. */
  private segments: SegmentTerms;
  private readonly later = new Map<string, number>();
  private readonly laterTexts: string[] = [];
  private current: OrdinalColumn | null = null;
  private currentAt = 0;
  /** Number of each ordinal of the current segment; null: they are the same, or looked up. */
  private numbers: Uint32Array | null = null;
  /** Numbers of the current segment's ordinals that were looked up; null where none is. */
  private mapped: Int32Array | null = null;
  private lookups = 0;

  constructor(field: string, views: readonly SegmentView[], options: TermNumbersOptions = {}) {
    const { fielddata = null, buildsUnions = true } = options;
    this.fielddata = fielddata;
    this.buildsUnions = buildsUnions;
    const [first] = views;
    this.all = { field, segments: views.map(({ segment }) => segment) };
    this.segments = this.all;
    this.unions = first?.segment instanceof FlatSegment ? first.segment.unions : null;
  }

  /** Numbers that were given; every number is below. */
  get size(): number {
    return this.unionSize + this.laterTexts.length;
  }

  private get unionSize(): number {
    return this.union === null ? 0 : sizeOf(this.union);
  }

  enter({ segment }: SegmentView, column: OrdinalColumn | null): void {
    this.current = column;
    this.numbers = null;
    this.mapped = null;
    this.lookups = 0;
    if (column === null) return;
    this.currentAt = this.all.segments.indexOf(segment);
    assert(this.currentAt >= 0, `segment ${segment.name} is not one of the searcher`);
    if (this.union === null && this.laterTexts.length === 0) {
      const cached = this.cached();
      if (cached !== null && levelsShared(cached, this.all) > this.currentAt) this.union = cached;
      else {
        if (this.currentAt > 0) this.segments = { ...this.all, segments: [segment] };
        this.union = unionOfFirst(this.segments);
      }
    }
    if (!this.takeLevel()) this.mapped = new Int32Array(column.valueCount).fill(UNKNOWN);
  }

  private cached(): TermUnion | null {
    return this.unions?.get(this.all.field) ?? null;
  }

  /** Numbers of the current segment, where the union in use has them. */
  private takeLevel(): boolean {
    const name = this.all.segments[this.currentAt]?.name;
    const at = this.segments === this.all ? this.currentAt : 0;
    const level = this.union?.levels[at];
    if (level === undefined || level.segment !== name) return false;
    this.numbers = level.numbers;
    this.mapped = null;
    return true;
  }

  /** Number of each ordinal of the current segment: null where they are the same, undefined where they are looked up. */
  get table(): Uint32Array | null | undefined {
    return this.mapped === null ? this.numbers : undefined;
  }

  /**
   * Builds the union up to the current segment, where texts of it are looked up and that is worth it.
   *
   * @param expected look-ups that follow, beside those that were made
   */
  *settle(expected: number, meter: StepMeter): Steps<void> {
    const { unions, all, mapped, currentAt } = this;
    if (mapped === null || unions === null || !this.buildsUnions) return;
    const lookups = expected + this.lookups;
    const known = this.cached();
    const shared = known === null ? 0 : levelsShared(known, all);
    if (shared > currentAt) return;
    let union = known !== null && shared > 0 ? leadingLevels(known, shared) : unionOfFirst(all);
    while (union.levels.length <= currentAt) {
      const termCount = termCountAt(all, union.levels.length);
      const isWorthIt = lookups * TERMS_PER_LOOKUP >= termCount + sizeOf(union) / COPIED_PER_TERM;
      if (!isWorthIt || !unions.takes(bytesWith(union, termCount))) break;
      union = yield* withNextSegment(union, all, meter);
    }
    if (union.levels.length > Math.max(1, shared)) unions.put(all.field, union, this.fielddata);
    // Numbers that were given stay: those of the union in use are the first of this one.
    if (union.levels.length <= currentAt || this.laterTexts.length > 0 || this.segments !== all) return;
    this.union = union;
    this.takeLevel();
  }

  /**
   * Takes the union of all segments, built where it is not there yet: every thread with the same segments has the same one, and a
   * single text beside it has the next number. False: there is no room for it. Before the first segment is entered.
   */
  *unite(meter: StepMeter): Steps<boolean> {
    const { unions, all } = this;
    assert(this.union === null && this.laterTexts.length === 0, `texts of [${all.field}] have numbers already`);
    const known = this.cached();
    const shared = known === null ? 0 : levelsShared(known, all);
    let union = known !== null && shared > 0 ? leadingLevels(known, shared) : unionOfFirst(all);
    while (union.levels.length < all.segments.length) {
      if (unions?.takes(bytesWith(union, termCountAt(all, union.levels.length))) === false) return false;
      union = yield* withNextSegment(union, all, meter);
    }
    if (union.levels.length > Math.max(1, shared)) unions?.put(all.field, union, this.fielddata);
    this.union = union;
    return true;
  }

  ofOrdinal(ordinal: number): number {
    const { mapped, numbers } = this;
    if (mapped === null) return numbers === null ? ordinal : (numbers[ordinal] as number);
    const known = mapped[ordinal] as number;
    if (known !== UNKNOWN) return known;
    this.lookups++;
    return (mapped[ordinal] = this.ofBytes((this.current as OrdinalColumn).value(ordinal)));
  }

  /** `text` is bytes as characters. */
  private ofText(text: string): number {
    let number = this.later.get(text);
    if (number === undefined) {
      number = this.size;
      this.later.set(text, number);
      this.laterTexts.push(text);
    }
    return number;
  }

  /** Number of a text, also of one that no segment has. */
  ofBytes(bytes: Uint8Array): number {
    const found = this.union === null ? UNKNOWN : numberOfTerm(this.union, this.segments, bytes);
    return found >= 0 ? found : this.ofText(Buffer.from(bytes).toString('latin1'));
  }

  bytes(number: number): Uint8Array {
    const { union, segments, unionSize } = this;
    if (union !== null && number < unionSize) return termOfNumber(union, segments, number);
    return Buffer.from(this.laterTexts[number - unionSize] ?? '', 'latin1');
  }

  get memoryBytes(): number {
    return this.laterTexts.length * 96 + (this.mapped?.byteLength ?? 0);
  }
}
