/**
 * Shaped events as JSON text. On the hot path.
 *
 * What lies between the values is the same in all events of a shape, and is written once. The text is that of
 * `eventToJsonText` for the same event with maps.
 */
import type { EventShape, ShapeMap } from '../event/event-shape.ts';
import type { LogEvent } from '../event/log-event.ts';
import { ShapedEvent } from '../event/shaped-event.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventValue } from '../values/event-value.ts';
import { jsonText, quote } from './value-json-text.ts';

/** Text before each value and behind the last, and the slots of the values. */
export interface ShapeText {
  readonly pieces: readonly string[];
  readonly slots: readonly number[];
  /** By position: the value needs no escapes, and its quotes are in the pieces. */
  readonly isClean: readonly boolean[];
}

/** Texts of such a length are kept for the next field: the same line is often in two of an event. */
const KEPT_LENGTH_MIN = 32;
const KEPT_LENGTH_MAX = 16_384;

export class ShapedJsonWriter {
  private shape: EventShape | null = null;
  private shapeText: ShapeText = { pieces: ['{}'], slots: [], isClean: [] };
  private lastTime: Timestamp | null = null;
  private lastTimeText = '';
  private lastText = '';
  private lastQuoted = '""';

  /** null for an event without a shape. */
  text(event: LogEvent): string | null {
    if (!(event instanceof ShapedEvent)) return null;
    const { shape } = event;
    if (shape === null) return null;
    if (shape !== this.shape) {
      this.shape = shape;
      this.shapeText = shapeTextOf(shape);
    }
    const { pieces, slots, isClean } = this.shapeText;
    const values = event.slots;
    let text = pieces[0] ?? '';
    for (let i = 0; i < slots.length; i++) {
      const value = values[slots[i] ?? 0] ?? null;
      text += typeof value === 'string' ? (isClean[i] === true ? value : this.quoted(value)) : this.valueText(value);
      text += pieces[i + 1] ?? '';
    }
    return text;
  }

  private quoted(text: string): string {
    if (text.length < KEPT_LENGTH_MIN || text.length > KEPT_LENGTH_MAX) return quote(text);
    if (text !== this.lastText) {
      this.lastText = text;
      this.lastQuoted = quote(text);
    }
    return this.lastQuoted;
  }

  private valueText(value: EventValue): string {
    if (!(value instanceof Timestamp)) return jsonText(value);
    if (value !== this.lastTime) {
      if (this.lastTime === null || !value.equals(this.lastTime)) this.lastTimeText = jsonText(value);
      this.lastTime = value;
    }
    return this.lastTimeText;
  }
}

const known = new WeakMap<EventShape, ShapeText>();

export function shapeTextOf(shape: EventShape): ShapeText {
  let text = known.get(shape);
  if (text === undefined) {
    text = makeShapeText(shape);
    known.set(shape, text);
  }
  return text;
}

function makeShapeText({ root, cleanSlots }: EventShape): ShapeText {
  const pieces: string[] = [];
  const slots: number[] = [];
  let piece = '';
  const write = (map: ShapeMap): void => {
    piece += '{';
    let separator = '';
    for (const [name, node] of map) {
      piece += `${separator}${jsonText(name)}:`;
      separator = ',';
      if (typeof node !== 'number') {
        write(node);
        continue;
      }
      const quoteMark = cleanSlots.has(node) ? '"' : '';
      pieces.push(piece + quoteMark);
      slots.push(node);
      piece = quoteMark;
    }
    piece += '}';
  };
  write(root);
  pieces.push(piece);
  return { pieces, slots, isClean: slots.map((slot) => cleanSlots.has(slot)) };
}
