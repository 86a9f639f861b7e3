/**
 * `minimum_should_match` in all its forms: `2`, `-1`, `75%`, `-25%`, `3<90%`, `2<-25% 9<-3`.
 */
import { illegalArgument } from '@shoal/core';

/** How many of `clauseCount` optional clauses must match; may exceed `clauseCount`, never below 0. */
export function minimumShouldMatch(specification: string, clauseCount: number): number {
  const spec = specification.trim();
  if (!spec.includes('<')) return Math.max(0, plainMinimum(spec, clauseCount));
  let result = clauseCount;
  // Conditions stand in ascending order: the last one that the count exceeds decides.
  for (const condition of spec.replace(/\s*<\s*/g, '<').split(/\s+/)) {
    const [bound = '', minimum = ''] = condition.split('<');
    if (clauseCount <= integer(bound, specification)) return result;
    result = minimumShouldMatch(minimum, clauseCount);
  }
  return result;
}

function plainMinimum(spec: string, clauseCount: number): number {
  if (!spec.endsWith('%')) {
    const count = integer(spec, spec);
    return count < 0 ? clauseCount + count : count;
  }
  const percent = integer(spec.slice(0, -1), spec);
  const share = Math.fround(clauseCount * percent * Math.fround(1 / 100));
  // Less than one clause may be missing: then none may.
  return share < 0 ? clauseCount + Math.trunc(share) : Math.trunc(share);
}

function integer(text: string, whole: string): number {
  if (/^[+-]?\d{1,9}$/.test(text.trim())) return Number(text);
  throw illegalArgument(`For input string: "${text === '' ? whole : text}"`);
}
