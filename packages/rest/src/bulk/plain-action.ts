/**
 * Action lines as clients write them, `{"index":{"_index":"i","_id":"1"}}` with these names or without: read byte by byte,
 * nothing allocated. A line in any other form is left to `action-line.ts`.
 */
import { BULK_ACTIONS, type BulkItems, isPlainByte, NO_ID, type PlainItem } from '@shoal/coordinator';

const SPACE = 0x20;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN = 0x7b;
const CLOSE = 0x7d;

const ACTION_NAMES: readonly Uint8Array[] = BULK_ACTIONS.map((name) => Buffer.from(name));
const INDEX_NAME: Uint8Array = Buffer.from('_index');
const ID_NAME: Uint8Array = Buffer.from('_id');
/** Answer of a step that met a byte outside the plain form. */
const OTHER = -1;

/** Cursor over action lines: its fields are those of the line read last. */
export class PlainActions implements PlainItem {
  action = 0;
  target = 0;
  idStart: number = NO_ID;
  idEnd: number = NO_ID;
  /** Piece of the body that is read. */
  #body: Uint8Array = new Uint8Array(0);
  readonly #items: BulkItems;
  readonly #defaultIndex: string;
  /** Target of the default index; null until an item is for it. */
  #defaultTarget: number | null = null;
  /** Bounds of the string read last. */
  #start = 0;
  #end = 0;
  #indexStart: number = NO_ID;
  #indexEnd: number = NO_ID;
  /** Bounds and target of the previous index name: names repeat from line to line. */
  #lastStart = 0;
  #lastEnd = 0;
  #lastTarget: number | null = null;

  constructor(items: BulkItems, defaultIndex: string) {
    this.#items = items;
    this.#defaultIndex = defaultIndex;
  }

  /** Goes on in another piece. */
  enter(piece: Uint8Array): void {
    this.#body = piece;
    this.#lastTarget = null;
  }

  /** Offset of the next line; null when this line is not plain, or there is none. */
  read(start: number): number | null {
    this.idStart = NO_ID;
    this.idEnd = NO_ID;
    this.#indexStart = NO_ID;
    let at = this.#token(start, OPEN);
    at = this.#string(at);
    if (at === OTHER) return null;
    this.action = this.#actionHere();
    if (this.action === OTHER) return null;
    at = this.#token(this.#token(at, COLON), OPEN);
    at = this.#members(at);
    at = this.#blank(this.#token(at, CLOSE));
    if (at === OTHER) return null;
    if (this.#body[at] === CARRIAGE_RETURN) at++;
    if (this.#body[at] !== LINE_FEED) return null;
    this.target = this.#indexStart === NO_ID ? this.#usualTarget() : this.#namedTarget();
    return at + 1;
  }

  /** Reads the members of the inner object and its end. @returns the offset after it */
  #members(start: number): number {
    let at = this.#blank(start);
    if (at !== OTHER && this.#body[at] === CLOSE) return at + 1;
    while (at !== OTHER) {
      at = this.#string(at);
      const isIndex = this.#isHere(INDEX_NAME);
      if (at === OTHER || !(isIndex || this.#isHere(ID_NAME))) return OTHER;
      at = this.#string(this.#token(at, COLON));
      if (at === OTHER || !this.#keep(isIndex)) return OTHER;
      at = this.#blank(at);
      if (this.#body[at] === CLOSE) return at + 1;
      at = this.#token(at, COMMA);
    }
    return OTHER;
  }

  /** Stores the string read last as index or id. @returns false for a name that comes twice */
  #keep(isIndex: boolean): boolean {
    if ((isIndex ? this.#indexStart : this.idStart) !== NO_ID) return false;
    if (isIndex) {
      this.#indexStart = this.#start;
      this.#indexEnd = this.#end;
    } else {
      this.idStart = this.#start;
      this.idEnd = this.#end;
    }
    return true;
  }

  #blank(at: number): number {
    if (at === OTHER) return OTHER;
    let next = at;
    while (this.#body[next] === SPACE || this.#body[next] === TAB) next++;
    return next;
  }

  /** Offset after blanks and one byte; `OTHER` when the byte is another one. */
  #token(at: number, byte: number): number {
    const next = this.#blank(at);
    return next !== OTHER && this.#body[next] === byte ? next + 1 : OTHER;
  }

  /** Offset after blanks and a string; the end of the body is no plain byte. */
  #string(at: number): number {
    const open = this.#token(at, QUOTE);
    if (open === OTHER) return OTHER;
    let next = open;
    while (next < this.#body.length && isPlainByte(this.#body[next] as number)) next++;
    if (this.#body[next] !== QUOTE) return OTHER;
    this.#start = open;
    this.#end = next;
    return next + 1;
  }

  /** True when the string read last is `name`. */
  #isHere(name: Uint8Array): boolean {
    return this.#end - this.#start === name.length && this.#isSame(this.#start, name, 0, name.length);
  }

  #isSame(start: number, other: Uint8Array, from: number, count: number): boolean {
    for (let i = 0; i < count; i++) if (this.#body[start + i] !== other[from + i]) return false;
    return true;
  }

  #actionHere(): number {
    for (let action = 0; action < ACTION_NAMES.length; action++) {
      if (this.#isHere(ACTION_NAMES[action] as Uint8Array)) return action;
    }
    return OTHER;
  }

  #usualTarget(): number {
    this.#defaultTarget ??= this.#items.targetOf(this.#defaultIndex);
    return this.#defaultTarget;
  }

  #namedTarget(): number {
    const start = this.#indexStart;
    const count = this.#indexEnd - start;
    const isLast = count === this.#lastEnd - this.#lastStart && this.#isSame(start, this.#body, this.#lastStart, count);
    if (this.#lastTarget === null || !isLast) {
      this.#lastTarget = this.#items.targetOf(
        Buffer.from(this.#body.subarray(start, this.#indexEnd)).toString('latin1'),
      );
    }
    this.#lastStart = start;
    this.#lastEnd = this.#indexEnd;
    return this.#lastTarget;
  }
}
