/**
 * Several configuration files as one text, and the way back from an offset in it to file, line and column.
 */
import { assert } from '@shoal/core';
import type { Position } from './position.ts';

export interface ConfigSource {
  /** Shown in errors: the path, or `config string`. */
  readonly name: string;
  readonly text: string;
}

interface Part {
  readonly name: string;
  readonly start: number;
  /** Offsets in the joined text. */
  readonly lineStarts: readonly number[];
}

const BYTE_ORDER_MARK = '\ufeff';

export class SourceText {
  /** The files in order, each followed by a newline. */
  readonly text: string;
  private readonly parts: readonly Part[];

  constructor(sources: readonly ConfigSource[]) {
    let text = '';
    this.parts = sources.map((source) => {
      const own = source.text.startsWith(BYTE_ORDER_MARK) ? source.text.slice(1) : source.text;
      const start = text.length;
      const lineStarts = [start];
      for (let at = own.indexOf('\n'); at >= 0; at = own.indexOf('\n', at + 1)) lineStarts.push(start + at + 1);
      text += `${own}\n`;
      return { name: source.name, start, lineStarts };
    });
    this.text = text;
  }

  position(offset: number): Position {
    assert(offset >= 0 && offset <= this.text.length, `offset ${offset} outside of 0..${this.text.length}`);
    const part = this.parts[lastAtOrBefore(this.parts, offset, (one) => one.start)];
    if (part === undefined) return { file: 'config', line: 1, column: 1 };
    // The newline that joins two files, and the end of the text, belong to the file before.
    const line = lastAtOrBefore(part.lineStarts, offset, (one) => one);
    const start = part.lineStarts[line] ?? part.start;
    return { file: part.name, line: line + 1, column: offset - start + 1 };
  }

  /** The way back of `position`. */
  offset(position: Position): number {
    const part = this.parts.find((one) => one.name === position.file);
    return Math.min((part?.lineStarts[position.line - 1] ?? 0) + position.column - 1, this.text.length);
  }

  /** The line in which an offset stands, and where in it. */
  lineAt(offset: number): { readonly text: string; readonly index: number } {
    const start = this.text.lastIndexOf('\n', offset - 1) + 1;
    const end = this.text.indexOf('\n', offset);
    const text = this.text.slice(start, end < 0 ? undefined : end);
    return { text: text.replace(/\r$/, ''), index: offset - start };
  }
}

/** Index of the last one that starts at or before the offset; -1 when all start behind it. */
function lastAtOrBefore<T>(sorted: readonly T[], offset: number, startOf: (item: T) => number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = sorted[middle];
    if (item !== undefined && startOf(item) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
