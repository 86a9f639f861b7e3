/**
 * Values by document of the text fields of one segment, made of their postings when a search first wants them.
 */
import { runSteps, StepMeter, type Steps } from '@shoal/core';
import type { FrequencyFilter } from '@shoal/schema';
import { FielddataCache, SegmentFielddata } from '../memory/fielddata-cache.ts';
import { type UninvertedColumn, uninvert, uninvertedBytes } from './columns/uninverted-column.ts';
import type { TermDictionary, WantedFielddata } from './reader/segment-reader.ts';

export interface FielddataSource {
  readonly docCount: number;
  terms(field: string): TermDictionary | null;
}

export class TextFielddata {
  private readonly columns: SegmentFielddata<UninvertedColumn>;
  /** Last wish for each field: what was evicted is made again by it. */
  private readonly wanted = new Map<string, WantedFielddata>();

  /** `cache`: of the thread; null: nothing is evicted. */
  constructor(cache: FielddataCache | null) {
    this.columns = new SegmentFielddata(cache ?? new FielddataCache(Number.POSITIVE_INFINITY, () => true));
  }

  /**
   * Makes the values of a field, where they are not there. Terms taken by another filter are replaced.
   *
   * @returns true when values were replaced: what was computed from them is void
   * @throws ShoalError `circuit_breaking_exception` when they are too large
   */
  *load(from: FielddataSource, field: string, wanted: WantedFielddata, meter: StepMeter): Steps<boolean> {
    const before = this.wanted.get(field);
    const isReplaced = before !== undefined && !isSame(before.filter, wanted.filter);
    if (!isReplaced && this.columns.get(field) !== null) return false;
    const terms = from.terms(field);
    if (terms === null) return false;
    this.columns.check(field, uninvertedBytes(terms, from.docCount));
    const column = yield* uninvert(terms, from.docCount, wanted.filter, meter);
    this.wanted.set(field, wanted);
    this.columns.put(field, column, wanted.owner);
    return isReplaced;
  }

  /** Values of a field that was loaded; null for others. */
  column(from: FielddataSource, field: string): UninvertedColumn | null {
    const wanted = this.wanted.get(field);
    if (wanted === undefined) return null;
    const cached = this.columns.get(field);
    if (cached !== null) return cached;
    runSteps(this.load(from, field, wanted, new StepMeter()));
    return this.columns.get(field);
  }

  dropField(field: string): void {
    this.columns.dropField(field);
  }

  drop(): void {
    this.columns.drop();
  }
}

function isSame(a: FrequencyFilter, b: FrequencyFilter): boolean {
  return a.min === b.min && a.max === b.max && a.minSegmentSize === b.minSegmentSize;
}
