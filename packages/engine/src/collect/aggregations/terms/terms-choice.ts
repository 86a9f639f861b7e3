/**
 * `include` and `exclude` of a terms aggregation: which values become buckets.
 */
import type { BucketKey, TermsChoice } from '@shoal/aggregations';
import { illegalArgument } from '@shoal/core';
import type { OrdinalColumn } from '../../../format/reader/segment-reader.ts';
import type { AggregationContext } from '../collector/aggregation-context.ts';
import { keyOf, type ResolvedSource } from '../values/field-values.ts';
import { partitionOfNumber, partitionOfText } from './terms-partition.ts';

/** Texts, tested once an ordinal and segment. */
export class TextChoice {
  private readonly test: (bytes: Uint8Array) => boolean;
  private column: OrdinalColumn | null = null;
  /** By ordinal: 0 not tested, 1 taken, 2 left out. */
  private tested = new Uint8Array(0);

  constructor(test: (bytes: Uint8Array) => boolean) {
    this.test = test;
  }

  enter(column: OrdinalColumn | null): void {
    this.column = column;
    this.tested = new Uint8Array(column?.valueCount ?? 0);
  }

  takes(ordinal: number): boolean {
    const known = this.tested[ordinal] as number;
    if (known !== 0 || this.column === null) return known === 1;
    const isTaken = this.test(this.column.value(ordinal));
    this.tested[ordinal] = isTaken ? 1 : 2;
    return isTaken;
  }

  takesText(bytes: Uint8Array): boolean {
    return this.test(bytes);
  }
}

export interface NumberChoice {
  takes(key: BucketKey): boolean;
}

/** @param termBytes a value of the request as the field's terms are written */
export function textChoice(
  choice: TermsChoice,
  termBytes: (value: string) => Uint8Array,
  patternTest: (pattern: string) => (bytes: Uint8Array) => boolean,
): TextChoice {
  switch (choice.kind) {
    case 'partition':
      return new TextChoice((bytes) => partitionOfText(bytes, choice.partitionCount) === choice.partition);
    case 'pattern': {
      const include = choice.include === null ? null : patternTest(choice.include);
      const exclude = choice.exclude === null ? null : patternTest(choice.exclude);
      return new TextChoice((bytes) => (include === null || include(bytes)) && !(exclude?.(bytes) ?? false));
    }
    case 'values': {
      const asKey = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
      const setOf = (values: typeof choice.include) =>
        values && new Set(values.map((v) => asKey(termBytes(String(v)))));
      const [include, exclude] = [setOf(choice.include), setOf(choice.exclude)];
      return new TextChoice((bytes) => {
        const key = asKey(bytes);
        return (include === null || include.has(key)) && !(exclude?.has(key) ?? false);
      });
    }
  }
}

/** @throws ShoalError for patterns, which numbers do not have */
export function numberChoice(
  choice: TermsChoice,
  ctx: AggregationContext,
  source: ResolvedSource,
  name: string,
): NumberChoice {
  switch (choice.kind) {
    case 'partition':
      return { takes: (key) => partitionOfNumber(key, source.keyKind, choice.partitionCount) === choice.partition };
    case 'pattern':
      throw illegalArgument(
        `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. Use an array of numeric values for include/exclude clauses used to filter numeric fields`,
      );
    case 'values': {
      const setOf = (values: typeof choice.include) =>
        values && new Set(values.map((value) => exactNumber(keyOf(ctx, value, source))));
      const [include, exclude] = [setOf(choice.include), setOf(choice.exclude)];
      return {
        takes: (key) => {
          const number = exactNumber(key);
          return (include === null || include.has(number)) && !(exclude?.has(number) ?? false);
        },
      };
    }
  }
}

/** A long that no double holds stays a bigint. */
function exactNumber(key: BucketKey): number | bigint {
  const number = Number(key);
  return typeof key === 'bigint' && !Number.isSafeInteger(number) ? key : number;
}
