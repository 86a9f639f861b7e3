/**
 * Large answers written in steps, so that whoever drives them can let others of its thread run in between.
 *
 * Parts that are small are written by `writeJson`'s own code in one go; how large a part is, is looked at no further than it
 * takes to know that it is not.
 */
import { JsonSink, type JsonWriteOptions, RawJson } from './json-writer.ts';
import { reindent } from './reindent.ts';

/** Values of one step, each a tenth of a microsecond or two. */
const STEP_VALUES = 4_000;
/** Bytes of a document that count as one value: copied, or read and written again. */
const COPIED_BYTES = 16_384;
const REINDENTED_BYTES = 8;
/** Characters of a long string that count as one value. */
const STRING_CHARS = 64;

/** True when `writeJson` would hold its thread longer than other work should wait. */
export function isLargeJson(value: unknown, { pretty = false }: JsonWriteOptions = {}): boolean {
  return weigh(value, pretty, STEP_VALUES) < 0;
}

/** JSON in UTF-8, byte for byte what `writeJson` gives. */
export function* writeJsonInSteps(value: unknown, options: JsonWriteOptions = {}): Generator<void, Uint8Array, void> {
  const sink = new JsonSink(options.pretty === true);
  yield* new SteppedWriter(sink).value(value, 0);
  if (options.pretty) sink.text += '\n';
  return sink.finish();
}

class SteppedWriter {
  private readonly sink: JsonSink;
  /** Work since the last step. */
  private spent = 0;

  constructor(sink: JsonSink) {
    this.sink = sink;
  }

  *value(value: unknown, depth: number): Generator<void, void, void> {
    const { sink } = this;
    const left = weigh(value, sink.isPretty, STEP_VALUES);
    if (left < 0 && typeof value === 'object' && value !== null) {
      yield* this.inside(value, depth);
      return;
    }
    sink.value(value, depth);
    this.spent += left < 0 ? STEP_VALUES : STEP_VALUES - left;
    if (this.spent < STEP_VALUES) return;
    this.spent = 0;
    sink.encode();
    yield;
  }

  private *inside(value: object, depth: number): Generator<void, void, void> {
    if (Array.isArray(value)) yield* this.array(value, depth);
    else if (value instanceof RawJson) yield* this.raw(value, depth);
    else yield* this.members(value instanceof Map ? value.entries() : Object.entries(value), depth);
  }

  private *array(items: readonly unknown[], depth: number): Generator<void, void, void> {
    const { sink } = this;
    sink.text += '[';
    for (let i = 0; i < items.length; i++) {
      if (i > 0) sink.text += ',';
      sink.newline(depth + 1);
      yield* this.value(items[i], depth + 1);
    }
    sink.newline(depth);
    sink.text += ']';
  }

  private *members(entries: Iterable<readonly [unknown, unknown]>, depth: number): Generator<void, void, void> {
    const { sink } = this;
    let isFirst = true;
    sink.text += '{';
    for (const [name, value] of entries) {
      if (value === undefined) continue;
      sink.name(String(name), isFirst, depth);
      isFirst = false;
      yield* this.value(value, depth + 1);
    }
    sink.closeMembers(isFirst, depth);
  }

  private *raw({ bytes }: RawJson, depth: number): Generator<void, void, void> {
    const { sink } = this;
    if (!sink.isPretty) {
      sink.raw(bytes, depth);
      return;
    }
    for (const piece of reindent(bytes, depth)) {
      sink.text += piece;
      sink.encode();
      yield;
    }
  }
}

/** Rest of `room`, in values, behind this value; negative as soon as it is known not to fit. */
function weigh(value: unknown, isPretty: boolean, room: number): number {
  if (typeof value === 'string') return room - 1 - value.length / STRING_CHARS;
  if (typeof value !== 'object' || value === null) return room - 1;
  if (value instanceof RawJson) return room - 1 - value.bytes.length / (isPretty ? REINDENTED_BYTES : COPIED_BYTES);
  let left = room - 1;
  if (Array.isArray(value)) {
    if (value.length > left) return -1;
    for (let i = 0; i < value.length && left >= 0; i++) left = weigh(value[i], isPretty, left);
    return left;
  }
  if (value instanceof Map) {
    if (value.size > left) return -1;
    for (const entry of value.values()) {
      left = weigh(entry, isPretty, left);
      if (left < 0) break;
    }
    return left;
  }
  for (const name of Object.keys(value)) {
    left = weigh(value[name as keyof typeof value], isPretty, left);
    if (left < 0) break;
  }
  return left;
}
