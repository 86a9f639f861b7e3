/**
 * Patterns of index names that templates have, and whether two of them fit a common name.
 */
import { simpleMatch } from '@shoal/core';

/** True when some name fits both patterns. */
export function patternsOverlap(a: string, b: string): boolean {
  const [one, other] = [endsOf(a), endsOf(b)];
  if (one === null && other === null) return a === b;
  if (one === null) return simpleMatch(b, a);
  if (other === null) return simpleMatch(a, b);
  // With a star in both, what stands between the ends can be written one behind the other: only the ends have to agree.
  return (
    (one.head.startsWith(other.head) || other.head.startsWith(one.head)) &&
    (one.tail.endsWith(other.tail) || other.tail.endsWith(one.tail))
  );
}

interface PatternEnds {
  readonly head: string;
  readonly tail: string;
}

/** Text before the first star and behind the last one; null without a star. */
function endsOf(pattern: string): PatternEnds | null {
  const first = pattern.indexOf('*');
  if (first < 0) return null;
  return { head: pattern.slice(0, first), tail: pattern.slice(pattern.lastIndexOf('*') + 1) };
}

export function doOverlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((a) => others.some((b) => patternsOverlap(a, b)));
}

interface NamedPatterns {
  readonly name: string;
  readonly indexPatterns: readonly string[];
}

/** `[a,b] with patterns (a => [x*],b => [y*])`. */
export function listedPatterns(templates: readonly NamedPatterns[]): string {
  const names = templates.map(({ name }) => name).join(',');
  const patterns = templates.map(({ name, indexPatterns }) => `${name} => [${indexPatterns.join(', ')}]`);
  return `[${names}] with patterns (${patterns.join(',')})`;
}
