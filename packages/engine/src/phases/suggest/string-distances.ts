/**
 * How alike two words are, from 0 to 1: the measures that `string_distance` names.
 */
import { editDistance, unreachable } from '@shoal/core';
import type { StringDistance } from '@shoal/query';

export function stringSimilarity(distance: Exclude<StringDistance, 'internal'>, a: string, b: string): number {
  switch (distance) {
    case 'damerau_levenshtein': {
      const [left, right] = [[...a], [...b]];
      return Math.fround(1 - Math.fround(editDistance(left, right, true) / Math.min(left.length, right.length)));
    }
    case 'levenshtein':
      return Math.fround(1 - Math.fround(editDistance(a, b, false) / Math.max(a.length, b.length)));
    case 'jaro_winkler':
      return Math.fround(jaroWinkler(a, b));
    case 'ngram':
      return Math.fround(bigramSimilarity(a, b));
    default:
      return unreachable(distance);
  }
}

/** Jaro similarity above which a common prefix adds to it. */
const WINKLER_THRESHOLD = 0.7;
const WINKLER_SCALE = 0.1;

/** @see Winkler, "String Comparator Metrics and Enhanced Decision Rules in the Fellegi-Sunter Model" (1990) */
function jaroWinkler(a: string, b: string): number {
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  const { ofShort, ofLong } = matchingLetters(short, long);
  const matches = ofShort.length;
  if (matches === 0) return 0;
  const displaced = ofShort.filter((letter, i) => letter !== ofLong[i]).length;
  const swaps = Math.floor(displaced / 2);
  const jaro = (matches / a.length + matches / b.length + (matches - swaps) / matches) / 3;
  if (jaro < WINKLER_THRESHOLD) return jaro;
  let prefix = 0;
  while (prefix < short.length && a[prefix] === b[prefix]) prefix++;
  return jaro + Math.min(WINKLER_SCALE, 1 / long.length) * prefix * (1 - jaro);
}

/** Letters that both words have near the same place, each in the order of its own word. */
function matchingLetters(short: string, long: string): { readonly ofShort: string[]; readonly ofLong: string[] } {
  const range = Math.max(Math.floor(long.length / 2) - 1, 0);
  const taken = new Uint8Array(long.length);
  const ofShort: string[] = [];
  for (let i = 0; i < short.length; i++) {
    const end = Math.min(i + range + 1, long.length);
    for (let j = Math.max(i - range, 0); j < end; j++) {
      if (taken[j] === 1 || short[i] !== long[j]) continue;
      taken[j] = 1;
      ofShort.push(short[i] as string);
      break;
    }
  }
  return { ofShort, ofLong: [...long.split('').filter((_, j) => taken[j] === 1)] };
}

/**
 * Edit distance over pairs of neighbouring letters, in which half a pair costs half a replacement.
 *
 * @see Kondrak, "N-Gram Similarity and Distance" (2005)
 */
function bigramSimilarity(a: string, b: string): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  if (a.length < 2 || b.length < 2) return (a[0] === b[0] ? 1 : 0) / Math.max(a.length, b.length);
  let last = Float32Array.from({ length: a.length + 1 }, (_, i) => i);
  for (let row = 1; row <= b.length; row++) {
    const current = new Float32Array(a.length + 1);
    current[0] = row;
    for (let i = 1; i <= a.length; i++) {
      const cost = pairCost(a, i - 1, b, row - 1);
      const diagonal = Math.fround((last[i - 1] as number) + cost);
      current[i] = Math.min((current[i - 1] as number) + 1, (last[i] as number) + 1, diagonal);
    }
    last = current;
  }
  return 1 - (last[a.length] as number) / Math.max(a.length, b.length);
}

/** Share of the pair that ends at `i` that differs from that which ends at `j`; nothing stands before the first letter. */
function pairCost(a: string, i: number, b: string, j: number): number {
  const isLastSame = a[i] === b[j];
  if (i === 0 && j === 0) return isLastSame ? 0 : 1;
  const isFirstSame = i > 0 && j > 0 && a[i - 1] === b[j - 1];
  return ((isLastSame ? 0 : 1) + (isFirstSame ? 0 : 1)) / 2;
}
