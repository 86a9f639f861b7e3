/**
 * Types of criteria: how a value of a request is held against one that a rule has.
 */
import { editDistance } from '@shoal/core';

/** Texts are compared as they are written, capital letters told from small ones. */
type Fits = (given: string, wanted: string | number) => boolean;

/** Above this similarity two texts are alike, 0 to 1. */
const ALIKE = 0.5;
/** Longer texts are cut before they are compared letter by letter, which takes the product of the lengths. */
const COMPARED_CHARS_MAX = 512;

export const CRITERION_TYPES = [
  'always',
  'exact',
  'fuzzy',
  'prefix',
  'suffix',
  'contains',
  'lt',
  'lte',
  'gt',
  'gte',
] as const;

export type CriterionType = (typeof CRITERION_TYPES)[number];

const FITS: Readonly<Record<CriterionType, Fits>> = {
  always: () => true,
  exact: (given, wanted) => (typeof wanted === 'string' ? given === wanted : numberOf(given) === wanted),
  fuzzy: (given, wanted) => typeof wanted === 'string' && similarity(given, wanted) > ALIKE,
  prefix: (given, wanted) => given.startsWith(String(wanted)),
  suffix: (given, wanted) => given.endsWith(String(wanted)),
  contains: (given, wanted) => given.includes(String(wanted)),
  lt: (given, wanted) => numberOf(given) < numberOf(wanted),
  lte: (given, wanted) => numberOf(given) <= numberOf(wanted),
  gt: (given, wanted) => numberOf(given) > numberOf(wanted),
  gte: (given, wanted) => numberOf(given) >= numberOf(wanted),
};

/** Types that only look at texts. */
const OF_TEXTS: ReadonlySet<CriterionType> = new Set(['fuzzy', 'prefix', 'suffix', 'contains']);

/** Whether a value of a request fits a value of a criterion. */
export function fits(type: CriterionType, given: unknown, wanted: string | number): boolean {
  if (OF_TEXTS.has(type) && typeof given !== 'string') return false;
  return FITS[type](String(given), wanted);
}

/** NaN, which compares to nothing, for a text that is no number. */
function numberOf(value: string | number): number {
  if (typeof value === 'number') return value;
  return value.trim() === '' ? Number.NaN : Number(value);
}

/** 1 for the same text, 0 where every letter has to be changed: edits by the length of the longer text. */
function similarity(a: string, b: string): number {
  const [from, to] = [[...a.slice(0, COMPARED_CHARS_MAX)], [...b.slice(0, COMPARED_CHARS_MAX)]];
  return 1 - editDistance(from, to, false) / Math.max(from.length, to.length, 1);
}
