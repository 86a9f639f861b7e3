/**
 * What a `DateTimeFormatter` is made of: parts that print a piece of a date each, and read it.
 */
import type { JavaLocale, NameStyle } from './java-locale.ts';
import type { JavaTemporal } from './temporal.ts';
import type { JavaField } from './temporal-field.ts';
import type { JavaZone } from './time-zones.ts';

export type SignStyle = 'NORMAL' | 'ALWAYS' | 'NEVER' | 'NOT_NEGATIVE' | 'EXCEEDS_PAD';

export interface NumberPart {
  readonly kind: 'number';
  readonly field: JavaField;
  readonly min: number;
  readonly max: number;
  readonly sign: SignStyle;
  /** Digits that are left for values right behind; -1: the width is fixed. */
  readonly behind: number;
  /** First year of the hundred that two digits are of; null: all digits are there. */
  readonly base: number | null;
}

export interface OffsetPart {
  readonly kind: 'offset';
  readonly hasColon: boolean;
  readonly minutes: 'always' | 'needed' | 'never';
  readonly seconds: 'always' | 'needed' | 'never';
  /** What is there for UTC. */
  readonly none: string;
}

export type FormatPart =
  | NumberPart
  | OffsetPart
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'fraction';
      readonly field: JavaField;
      readonly min: number;
      readonly max: number;
      readonly hasPoint: boolean;
    }
  | {
      readonly kind: 'text';
      readonly field: JavaField;
      readonly style: NameStyle;
      readonly names: readonly string[] | null;
    }
  | { readonly kind: 'localizedOffset'; readonly isFull: boolean }
  | { readonly kind: 'zoneId' }
  | { readonly kind: 'zoneText'; readonly isFull: boolean }
  | { readonly kind: 'instant' }
  | { readonly kind: 'pad'; readonly width: number; readonly filler: string; readonly part: FormatPart }
  | { readonly kind: 'optional'; readonly parts: readonly FormatPart[] }
  | { readonly kind: 'case'; readonly isSensitive: boolean }
  | { readonly kind: 'strict'; readonly isStrict: boolean }
  | { readonly kind: 'default'; readonly field: JavaField; readonly value: number };

export function numberPart(
  field: JavaField,
  min = 1,
  max = 19,
  sign: SignStyle = min === max ? 'NOT_NEGATIVE' : 'NORMAL',
  base: number | null = null,
): NumberPart {
  return { kind: 'number', field, min, max, sign, behind: 0, base };
}

export const isFixed = (part: NumberPart): boolean => part.min === part.max && part.sign === 'NOT_NEGATIVE';

/** Parts in a row: numbers that follow one another without anything between share their digits. */
export class PartList {
  readonly parts: FormatPart[] = [];
  /** Position of the number that gives digits to those behind it; -1 without one. */
  #open = -1;

  add(part: FormatPart): void {
    if (part.kind !== 'number') {
      this.parts.push(part);
      this.#open = -1;
      return;
    }
    const open = this.parts[this.#open];
    if (open?.kind === 'number') {
      if (isFixed(part)) {
        this.parts[this.#open] = { ...open, behind: open.behind + part.max };
        this.parts.push({ ...part, behind: -1 });
        return;
      }
      this.parts[this.#open] = { ...open, behind: -1 };
    }
    this.parts.push(part);
    this.#open = this.parts.length - 1;
  }
}

export interface PrintContext {
  readonly temporal: JavaTemporal;
  readonly zone: JavaZone | null;
  readonly locale: JavaLocale;
}

/** What has been read of a text. */
export class ParseState {
  readonly text: string;
  readonly locale: JavaLocale;
  fields: Map<JavaField, number> = new Map();
  zone: JavaZone | null = null;
  isCaseSensitive = true;
  isStrict = true;

  constructor(text: string, locale: JavaLocale) {
    this.text = text;
    this.locale = locale;
  }

  /** False: the field has another value already. */
  set(field: JavaField, value: number): boolean {
    const known = this.fields.get(field);
    this.fields.set(field, value);
    return known === undefined || known === value;
  }

  matches(at: number, other: string): boolean {
    const piece = this.text.slice(at, at + other.length);
    if (piece.length !== other.length) return false;
    return this.isCaseSensitive ? piece === other : piece.toLowerCase() === other.toLowerCase();
  }
}
