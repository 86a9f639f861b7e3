/**
 * JSON being written piece by piece: text becomes bytes every now and then, so that no single long text is made at the end.
 */
import { DoubleNumber, writeJsonText } from '@shoal/core';

/** Characters that are made bytes at once. */
const CHUNK_CHARS = 16_384;

export class AnswerText {
  private readonly chunks: Buffer[] = [];
  private text = '';

  /** JSON as it is. */
  add(text: string): void {
    this.text += text;
    if (this.text.length > CHUNK_CHARS) this.flush();
  }

  /**
   * The members of an object without its braces; those that are undefined are left out. True: the next member is the first
   * one still. Names are written as they are: they must be plain.
   */
  members(object: Readonly<Record<string, unknown>>, isFirst: boolean): boolean {
    let text = '';
    let isFirstYet = isFirst;
    for (const name of Object.keys(object)) {
      const value = object[name];
      if (value === undefined) continue;
      text += isFirstYet ? `"${name}":` : `,"${name}":`;
      text += jsonText(value);
      isFirstYet = false;
    }
    this.add(text);
    return isFirstYet;
  }

  bytes(): Uint8Array {
    this.flush();
    const [only] = this.chunks;
    return this.chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.chunks);
  }

  private flush(): void {
    this.chunks.push(Buffer.from(this.text, 'utf8'));
    this.text = '';
  }
}

/** A value that was printed already. */
export class PrintedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** JSON text of a value, the same that `writeJson` prints. */
export function jsonText(value: unknown): string {
  if (value instanceof PrintedJson) return value.text;
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || value instanceof DoubleNumber) return String(value);
  return Number.isSafeInteger(value) ? String(value) : writeJsonText(value);
}
