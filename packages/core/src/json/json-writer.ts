/**
 * Writes answers: compact, or indented as Elasticsearch's `?pretty` does.
 *
 * Documents pass through as the bytes that were indexed (`RawJson`); only `pretty` touches their white space. Plain
 * numbers that are whole print as integers: what is a float or a double says so with its wrapper.
 */
import { assert } from '../errors/assert.ts';
import { DoubleNumber, FloatNumber, javaDoubleText } from './java-numbers.ts';
import { reindent } from './reindent.ts';

/** Serialised JSON that is written as it is. */
export class RawJson {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

export interface JsonWriteOptions {
  /** Two spaces of indentation, ` : ` between name and value, a newline at the end. */
  readonly pretty?: boolean;
}

/** Answers are built by this program, so that deeper nesting is a mistake of ours. */
const DEPTH_MAX = 2_000;
const PLAIN_CHARS_MAX = 64;
const PLAIN = /^[\w.:/ -]*$/;

/** UTF-8 of `value`. Members that are undefined are left out. */
export function writeJson(value: unknown, options: JsonWriteOptions = {}): Uint8Array {
  const sink = new JsonSink(options.pretty === true);
  sink.value(value, 0);
  if (options.pretty) sink.text += '\n';
  return sink.finish();
}

/** `writeJson` for callers that need a string. */
export function writeJsonText(value: unknown, options: JsonWriteOptions = {}): string {
  return Buffer.from(writeJson(value, options)).toString('utf8');
}

/** JSON being written. `writeJsonInSteps` writes large values member by member through the same methods. */
export class JsonSink {
  private readonly chunks: (Uint8Array | string)[] = [];
  readonly isPretty: boolean;
  /** Text that is not encoded yet. */
  text = '';

  constructor(isPretty: boolean) {
    this.isPretty = isPretty;
  }

  value(value: unknown, depth: number): void {
    assert(depth < DEPTH_MAX, `answer nested deeper than ${DEPTH_MAX}`);
    if (value === null || value === undefined) this.text += 'null';
    else if (typeof value === 'string') this.text += stringText(value);
    else if (typeof value === 'number')
      this.text += Number.isInteger(value) ? integerText(value) : javaDoubleText(value);
    else if (typeof value === 'boolean' || typeof value === 'bigint') this.text += String(value);
    else if (Array.isArray(value)) this.array(value, depth);
    else if (value instanceof RawJson) this.raw(value.bytes, depth);
    else if (value instanceof FloatNumber || value instanceof DoubleNumber) this.text += value.toString();
    else if (value instanceof Map) this.members(value.entries(), depth);
    else if (typeof value === 'object') this.object(value, depth);
    else assert(false, `a ${typeof value} is not JSON`);
  }

  private array(items: readonly unknown[], depth: number): void {
    if (items.length === 0) {
      this.text += this.isPretty ? '[ ]' : '[]';
      return;
    }
    this.text += '[';
    let isFirst = true;
    for (const item of items) {
      if (!isFirst) this.text += ',';
      isFirst = false;
      this.newline(depth + 1);
      this.value(item, depth + 1);
    }
    this.newline(depth);
    this.text += ']';
  }

  private members(entries: Iterable<readonly [unknown, unknown]>, depth: number): void {
    let isFirst = true;
    this.text += '{';
    for (const [name, value] of entries) {
      if (value === undefined) continue;
      this.name(String(name), isFirst, depth);
      isFirst = false;
      this.value(value, depth + 1);
    }
    this.closeMembers(isFirst, depth);
  }

  /** `members` of a plain object, without an array for each pair: most values of an answer are plain objects. */
  private object(object: object, depth: number): void {
    let isFirst = true;
    this.text += '{';
    for (const name of Object.keys(object)) {
      const value: unknown = object[name as keyof typeof object];
      if (value === undefined) continue;
      this.name(name, isFirst, depth);
      isFirst = false;
      this.value(value, depth + 1);
    }
    this.closeMembers(isFirst, depth);
  }

  name(name: string, isFirst: boolean, depth: number): void {
    if (!isFirst) this.text += ',';
    this.newline(depth + 1);
    this.text += stringText(name);
    this.text += this.isPretty ? ' : ' : ':';
  }

  closeMembers(isEmpty: boolean, depth: number): void {
    if (isEmpty) this.text += this.isPretty ? ' }' : '}';
    else {
      this.newline(depth);
      this.text += '}';
    }
  }

  raw(bytes: Uint8Array, depth: number): void {
    if (this.isPretty) {
      for (const text of reindent(bytes, depth)) this.text += text;
      return;
    }
    this.flush();
    this.chunks.push(bytes);
  }

  newline(depth: number): void {
    if (this.isPretty) this.text += `\n${'  '.repeat(depth)}`;
  }

  private flush(): void {
    if (this.text === '') return;
    this.chunks.push(this.text);
    this.text = '';
  }

  /** Text becomes bytes, so that little is left for the end. */
  encode(): void {
    if (this.text === '') return;
    this.chunks.push(Buffer.from(this.text, 'utf8'));
    this.text = '';
  }

  finish(): Uint8Array {
    if (this.chunks.length === 0) return Buffer.from(this.text, 'utf8');
    this.flush();
    let bytes = 0;
    for (const chunk of this.chunks) bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    // Each part is put where it belongs at once: a buffer of its own for each would be copied once more.
    const out = Buffer.allocUnsafe(bytes);
    let at = 0;
    for (const chunk of this.chunks) {
      if (typeof chunk === 'string') at += out.write(chunk, at);
      else {
        out.set(chunk, at);
        at += chunk.length;
      }
    }
    return out;
  }
}

/** Names and ids are short and seldom hold what must be escaped: looking is cheaper than the call. */
function stringText(text: string): string {
  return text.length <= PLAIN_CHARS_MAX && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Whole numbers beyond 2^53 print their nearest integer, never an exponent. */
function integerText(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : BigInt(value).toString();
}
