/**
 * One nested object of a document, cut out of the bytes of its `_source`: what stays is copied as it was indexed.
 */
import { assert } from '@shoal/core';
import type { SourceFilter } from '@shoal/query';
import { filterSourceBytes } from './filter-source.ts';
import { SourceText } from './source-text.ts';

/** Where an object stands in the one around it: the `offset`-th of those at a dotted path, in document order. */
export interface NestedStep {
  /** From the object around it. */
  readonly field: string;
  readonly offset: number;
}

/**
 * @param source one valid JSON object
 * @param steps from the document to the object; at least one
 * @returns null where the object does not stand in the source as such: its path was written as one dotted name
 */
export function nestedSource(source: Uint8Array, steps: readonly NestedStep[]): Uint8Array | null {
  assert(steps.length > 0, 'a nested object without a path');
  let text = Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('utf8');
  for (const { field, offset } of steps) {
    const found = new ObjectFinder(text, offset).find(field);
    if (found === null) return null;
    text = found;
  }
  return Buffer.from(text, 'utf8');
}

/** Cuts out of a nested object what a filter with patterns for the whole document leaves of it. @param path of the object */
export function filterNestedSource(object: Uint8Array, path: string, filter: SourceFilter): Uint8Array {
  if (filter.includes.length === 0 && filter.excludes.length === 0) return object;
  const start = Buffer.from(`{${JSON.stringify(path)}:`, 'utf8');
  const whole = filterSourceBytes(Buffer.concat([start, object, Buffer.from('}')]), filter);
  return whole.length <= start.length ? Buffer.from('{}') : whole.subarray(start.length, -1);
}

/** Walks over the text of an object to the one at a path. */
class ObjectFinder extends SourceText {
  /** Objects that are passed over before the one that is wanted. */
  private left: number;

  constructor(text: string, offset: number) {
    super(text);
    this.left = offset;
  }

  find(path: string): string | null {
    return this.value(path);
  }

  /** The wanted object in the value that starts here; null, and behind the value, when it is not in it. */
  private value(path: string): string | null {
    const c = this.peek();
    if (c === '[') return this.list(path);
    if (c !== '{') {
      this.skipValue();
      return null;
    }
    return path === '' ? this.candidate() : this.members(path);
  }

  private list(path: string): string | null {
    this.at++;
    while (this.peek() !== ']') {
      const found = this.value(path);
      if (found !== null) return found;
      if (this.peek() === ',') this.at++;
    }
    this.at++;
    return null;
  }

  private members(path: string): string | null {
    this.at++;
    while (this.peek() !== '}') {
      const nameStart = this.at;
      this.skipString();
      const name = String(JSON.parse(this.text.slice(nameStart, this.at)));
      this.expect(':');
      const rest = name === path ? '' : path.startsWith(`${name}.`) ? path.slice(name.length + 1) : null;
      const found = rest === null ? this.skipped() : this.value(rest);
      if (found !== null) return found;
      if (this.peek() === ',') this.at++;
    }
    this.at++;
    return null;
  }

  private candidate(): string | null {
    const start = this.at;
    this.skipValue();
    return this.left-- === 0 ? this.text.slice(start, this.at) : null;
  }

  private skipped(): null {
    this.skipValue();
    return null;
  }
}
