/**
 * Many shaped events as lines of JSON, by a kernel: values go into one text as they are, with marks between them, and the
 * kernel puts names, quotes and escapes around. On the hot path.
 *
 * The result is that of `ShapedJsonWriter` for each event. Where the kernel cannot give it (a value holds a mark, or what is no
 * text) there is none, and events are written the other way.
 */
import type { EventShape } from '../event/event-shape.ts';
import type { LogEvent } from '../event/log-event.ts';
import { ShapedEvent } from '../event/shaped-event.ts';
import { type LoadedKernel, loadJsonLineKernel } from '../kernels/json-line-kernel.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventValue } from '../values/event-value.ts';
import { shapeTextOf } from './shaped-json.ts';
import { jsonText } from './value-json-text.ts';

/** Marks of the kernel. */
const VALUE_END = '\u0001';
const OWN_QUOTE = '\u0002';
const OWN_BACKSLASH = '\u0003';
const TEXT_END = OWN_QUOTE + VALUE_END;

/** Fewer events are written sooner without the kernel. */
const EVENTS_MIN = 8;
/** Characters after which a text goes to the kernel, and those of the largest event that it gets. */
const TEXT_CHARS = 32 * 1024;
const EVENT_CHARS_MAX = 128 * 1024;
/** Bytes of a unit of a text in UTF-8, at most. */
export const UTF8_BYTES_OF_UNIT_MAX = 3;
/** Bytes of an escape, as `\u001f`. */
const ESCAPE_BYTES = 6;
/** What the kernel may touch behind each range. */
const PADDING = 16;

/** Areas of the memory: counts of the kernel, pieces of the shape, marked text, lines. */
const COUNTS_START = 0;
const PIECES_START = 16;
const PIECES_BYTES_MAX = 64 * 1024;
const TEXT_START = PIECES_START + PIECES_BYTES_MAX;
const TEXT_BYTES_MAX = (TEXT_CHARS + EVENT_CHARS_MAX) * UTF8_BYTES_OF_UNIT_MAX + PADDING;
const LINES_START = TEXT_START + TEXT_BYTES_MAX;
/** Address and length of each piece. */
const PIECE_ENTRY_BYTES = 8;

interface ShapePieces {
  readonly slots: readonly number[];
  readonly isClean: readonly boolean[];
  /** Table of the pieces and the pieces, as they lie in memory. */
  readonly bytes: Uint8Array;
  /** Bytes of the pieces of one event. */
  readonly lineBytes: number;
}

export class ShapedLines {
  /** undefined before it is needed; null where there is none. */
  private loaded: LoadedKernel | null | undefined;
  private memory: Buffer = Buffer.alloc(0);
  private head = '';
  private shape: EventShape | null = null;
  private pieces: ShapePieces | null = null;
  /** Marked text of events of one shape. */
  private text = '';
  private eventCount = 0;
  private ownCount = 0;
  /** Where the next line goes. */
  private end = LINES_START;
  private lastTime: Timestamp | null = null;
  private lastTimeText = '';

  /**
   * Lines that are valid until the next call; null when they are to be written another way.
   *
   * @param heads line before each of them, with its line break
   */
  write(events: readonly LogEvent[], heads: readonly string[] | null = null): Uint8Array | null {
    if (events.length < EVENTS_MIN || !events.every(isShaped)) return null;
    if (this.loaded === undefined) this.loaded = loadJsonLineKernel();
    if (this.loaded === null) return null;
    this.end = LINES_START;
    for (let i = 0; i < events.length; i++) {
      const event = events[i];
      // Looked at above.
      if (!(event instanceof ShapedEvent) || event.shape === null) return this.refuse();
      if (!this.add(event, event.shape, heads?.[i] ?? '')) return this.refuse();
    }
    return this.flush() ? this.memory.subarray(LINES_START, this.end) : this.refuse();
  }

  private refuse(): null {
    this.forgetText();
    return null;
  }

  private forgetText(): void {
    this.text = '';
    this.eventCount = 0;
    this.ownCount = 0;
  }

  private add(event: ShapedEvent, shape: EventShape, head: string): boolean {
    if (shape !== this.shape || head !== this.head) {
      if (!this.flush()) return false;
      this.shape = shape;
      this.head = head;
      this.pieces = null;
    }
    this.pieces ??= piecesOf(shape, head);
    if (this.pieces === null) return false;
    const text = this.markedText(event.slots, this.pieces);
    if (text.length > EVENT_CHARS_MAX) return false;
    this.text += text;
    this.eventCount++;
    return this.text.length < TEXT_CHARS || this.flush();
  }

  private markedText(values: readonly EventValue[], { slots, isClean }: ShapePieces): string {
    let text = '';
    for (let i = 0; i < slots.length; i++) {
      const value = values[slots[i] ?? 0] ?? null;
      if (typeof value !== 'string') {
        text += this.markedValue(value);
        text += VALUE_END;
      } else if (isClean[i] === true) {
        text += value;
        text += VALUE_END;
      } else {
        text += OWN_QUOTE;
        text += value;
        text += TEXT_END;
        this.ownCount += 2;
      }
    }
    return text;
  }

  private markedValue(value: EventValue): string {
    if (value instanceof Timestamp) {
      if (value !== this.lastTime) {
        if (this.lastTime === null || !value.equals(this.lastTime))
          this.lastTimeText = `${OWN_QUOTE}${value.toString()}${OWN_QUOTE}`;
        this.lastTime = value;
      }
      this.ownCount += 2;
      return this.lastTimeText;
    }
    const text = jsonText(value);
    if (typeof value !== 'object' || value === null) return text;
    return text.replace(/["\\]/g, (character) => {
      this.ownCount++;
      return character === '"' ? OWN_QUOTE : OWN_BACKSLASH;
    });
  }

  /** Gives the text to the kernel; false when the lines are not what they should be. */
  private flush(): boolean {
    const { loaded, pieces, text, eventCount, ownCount } = this;
    if (eventCount === 0) return true;
    if (loaded === null || loaded === undefined || pieces === null) return false;
    this.forgetText();
    const textBytesMax = text.length * UTF8_BYTES_OF_UNIT_MAX;
    // The kernel writes no more pieces than there are events for, whatever marks are in their values.
    const linesEndMax = this.end + ESCAPE_BYTES * textBytesMax + eventCount * pieces.lineBytes + PADDING;
    if (!this.reach(linesEndMax)) return false;
    const { memory } = this;
    memory.set(pieces.bytes, PIECES_START);
    const length = memory.write(text, TEXT_START, 'utf8');
    const valueCount = pieces.slots.length;
    const { kernel } = loaded;
    this.end += kernel.writeLines(TEXT_START, length, this.end, PIECES_START, valueCount, eventCount, COUNTS_START);
    const [ends, own, replacements] = [0, 4, 8].map((offset) => memory.readUInt32LE(COUNTS_START + offset));
    // Half of a surrogate pair is an escape in JSON, and nobody can tell it from U+FFFD any more.
    return ends === valueCount * eventCount && own === ownCount && replacements === 0;
  }

  private reach(byteCount: number): boolean {
    if (this.memory.length >= byteCount) return true;
    const buffer = this.loaded?.memoryOf(byteCount) ?? null;
    if (buffer === null) return false;
    this.memory = Buffer.from(buffer);
    return true;
  }
}

function isShaped(event: LogEvent): boolean {
  return event instanceof ShapedEvent && event.shape !== null;
}

/** Heads of one shape whose pieces are kept: those of a few indices. */
const HEADS_MAX = 8;
/** By head. */
const known = new WeakMap<EventShape, Map<string, ShapePieces | null>>();

/** null for shapes without values, or with too long names. */
function piecesOf(shape: EventShape, head: string): ShapePieces | null {
  let ofShape = known.get(shape);
  if (ofShape === undefined) {
    ofShape = new Map();
    known.set(shape, ofShape);
  }
  let pieces = ofShape.get(head);
  if (pieces === undefined) {
    pieces = makePieces(shape, head);
    if (ofShape.size >= HEADS_MAX) ofShape.clear();
    ofShape.set(head, pieces);
  }
  return pieces;
}

function makePieces(shape: EventShape, head: string): ShapePieces | null {
  const { pieces, slots, isClean } = shapeTextOf(shape);
  if (slots.length === 0) return null;
  const encoded = pieces.map((piece, i) =>
    Buffer.from(i === 0 ? head + piece : i === slots.length ? `${piece}\n` : piece, 'utf8'),
  );
  const tableBytes = encoded.length * PIECE_ENTRY_BYTES;
  const lineBytes = encoded.reduce((sum, piece) => sum + piece.length, 0);
  if (tableBytes + lineBytes + PADDING > PIECES_BYTES_MAX) return null;
  const bytes = Buffer.alloc(tableBytes + lineBytes);
  let at = PIECES_START + tableBytes;
  for (const [i, piece] of encoded.entries()) {
    bytes.writeUInt32LE(at, i * PIECE_ENTRY_BYTES);
    bytes.writeUInt32LE(piece.length, i * PIECE_ENTRY_BYTES + 4);
    at += piece.copy(bytes, at - PIECES_START);
  }
  return { slots, isClean, bytes, lineBytes };
}
