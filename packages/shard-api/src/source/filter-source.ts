/**
 * Cuts the wanted parts out of a document's `_source` bytes.
 *
 * What stays is copied byte for byte, so that numbers and escapes look as they were indexed. Patterns are dotted paths
 * in which `*` stands for anything, dots included; a pattern also takes everything below what it names.
 *
 * An object in a list of which nothing stays is left out where a pattern of the exclusions has a wildcard, and stays as `{}`
 * where none has: Elasticsearch filters the two in different ways, and clients count the entries of lists.
 */
import type { SourceFilter } from '@shoal/query';
import { SourceText } from './source-text.ts';

/** @param source one valid JSON object: it was parsed when it was indexed */
export function filterSourceBytes(source: Uint8Array, filter: SourceFilter): Uint8Array {
  if (filter.includes.length === 0 && filter.excludes.length === 0) return source;
  const text = Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('utf8');
  const kept = new SourceCutter(text, filter).object('', filter.includes.length === 0);
  return Buffer.from(kept ?? '{}', 'utf8');
}

class SourceCutter extends SourceText {
  private readonly filter: SourceFilter;
  private readonly dropsEmpty: boolean;

  constructor(text: string, filter: SourceFilter) {
    super(text);
    this.filter = filter;
    this.dropsEmpty = filter.excludes.some((pattern) => pattern.includes('*'));
  }

  /** The kept part of the object that starts here; null when nothing is kept and the object itself was not asked for. */
  object(path: string, isIncluded: boolean): string | null {
    const parts: string[] = [];
    this.expect('{');
    while (this.peek() !== '}') {
      const nameStart = this.at;
      this.skipString();
      const name = this.text.slice(nameStart, this.at);
      this.expect(':');
      const value = this.member(path === '' ? JSON.parse(name) : `${path}.${JSON.parse(name)}`, isIncluded);
      if (value !== null) parts.push(`${name}:${value}`);
      if (this.peek() === ',') this.at++;
    }
    this.at++;
    return parts.length === 0 && !isIncluded ? null : `{${parts.join(',')}}`;
  }

  private member(path: string, isParentIncluded: boolean): string | null {
    const { includes, excludes } = this.filter;
    const excluded = strongest(excludes, path);
    if (excluded === 'match') return this.skip();
    const included = isParentIncluded ? 'match' : strongest(includes, path);
    if (included === 'none') return this.skip();
    if (included === 'match' && excluded === 'none') return this.copy();
    return this.inner(path, included === 'match');
  }

  /** A value of which only a part may be wanted. */
  private inner(path: string, isIncluded: boolean): string | null {
    const c = this.peek();
    if (c === '{') return this.object(path, isIncluded);
    if (c !== '[') return isIncluded ? this.copy() : this.skip();
    const items: string[] = [];
    this.at++;
    while (this.peek() !== ']') {
      const isObject = this.peek() === '{';
      const item = this.inner(path, isIncluded);
      if (item !== null && !(isObject && this.dropsEmpty && item === '{}')) items.push(item);
      if (this.peek() === ',') this.at++;
    }
    this.at++;
    return items.length === 0 && !isIncluded ? null : `[${items.join(',')}]`;
  }

  private copy(): string {
    this.peek();
    const start = this.at;
    this.skipValue();
    return this.text.slice(start, this.at);
  }

  private skip(): null {
    this.peek();
    this.skipValue();
    return null;
  }
}

type PathMatch = 'match' | 'below' | 'none';

/** `match`: a pattern names this path or something above it. `below`: something beneath it may match. */
function strongest(patterns: readonly string[], path: string): PathMatch {
  let best: PathMatch = 'none';
  for (const pattern of patterns) {
    const match = matchPath(pattern, path);
    if (match === 'match') return match;
    if (match === 'below') best = match;
  }
  return best;
}

/** Runs the pattern over the path, keeping every position in the pattern that is still possible. */
function matchPath(pattern: string, path: string): PathMatch {
  let alive = expand(pattern, [0]);
  for (let i = 0; i < path.length; i++) {
    // A pattern that ends where a path component ends names everything below it.
    if (path[i] === '.' && alive.includes(pattern.length)) return 'match';
    const next: number[] = [];
    for (const p of alive) {
      if (pattern[p] === '*') next.push(p);
      else if (pattern[p] === path[i]) next.push(p + 1);
    }
    alive = expand(pattern, next);
    if (alive.length === 0) return 'none';
  }
  if (alive.includes(pattern.length)) return 'match';
  return alive.some((p) => pattern[p] === '.' || pattern[p] === '*') ? 'below' : 'none';
}

/** A star may also stand for nothing. */
function expand(pattern: string, positions: readonly number[]): number[] {
  const all = new Set<number>();
  for (const position of positions) {
    let p = position;
    all.add(p);
    while (pattern[p] === '*') all.add(++p);
  }
  return [...all];
}
