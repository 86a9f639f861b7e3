/**
 * Values of scripts as bytes and back, each with its type: what a script made on one node is the same to a script on another.
 */
import { type ByteSink, type ByteSource, DamagedBytes } from '@shoal/core';
import { itemsOrNull } from '../library/items-of.ts';
import { JavaDateTime } from '../time/instants.ts';
import { JavaZone } from '../time/time-zones.ts';
import { illegalArgumentException, JavaException } from '../values/java-exception.ts';
import { JavaMap, JavaSet } from '../values/java-map.ts';
import { JavaBigInteger, JavaCharacter, JavaFloat, JavaInteger, JavaSmall } from '../values/java-numbers.ts';
import { classOf } from '../values/java-text.ts';

/** Values within values. */
const DEPTH_MAX = 100;

/** The byte on the wire is the position in the list. */
const TAGS = [
  ...['null', 'false', 'true', 'text', 'int', 'long', 'float', 'double', 'byte', 'short', 'char', 'big'],
  ...['list', 'set', 'map', 'date'],
] as const;
type Tag = (typeof TAGS)[number];

/** @throws JavaException `IllegalArgumentException` for a value that only its script knows, or that holds itself */
export function writeScriptValue(sink: ByteSink, value: unknown, depth = 0): void {
  if (depth > DEPTH_MAX) throw illegalArgumentException('Iterable object is self-referencing itself');
  if (writeSimple(sink, value)) return;
  if (value instanceof JavaDateTime) {
    put(sink, 'date');
    sink.f64(value.ms);
    sink.text(value.zone.text());
    return;
  }
  if (value instanceof JavaMap) {
    const entries = value.entries();
    put(sink, 'map');
    sink.varint(entries.length);
    for (const [key, item] of entries) {
      writeScriptValue(sink, key, depth + 1);
      writeScriptValue(sink, item, depth + 1);
    }
    return;
  }
  const items = itemsOrNull(value);
  if (items === null) throw illegalArgumentException(`Cannot write type [${classOf(value)}] to stream`);
  put(sink, value instanceof JavaSet ? 'set' : 'list');
  sink.varint(items.length);
  for (const item of items) writeScriptValue(sink, item, depth + 1);
}

/** False: the value is none of those without others inside. */
function writeSimple(sink: ByteSink, value: unknown): boolean {
  if (value === null || value === undefined) put(sink, 'null');
  else if (typeof value === 'boolean') put(sink, value ? 'true' : 'false');
  else if (typeof value === 'string') withText(sink, 'text', value);
  else if (typeof value === 'bigint') withText(sink, 'long', String(value));
  else if (value instanceof JavaBigInteger) withText(sink, 'big', String(value.value));
  else {
    const tag = numberTag(value);
    if (tag === null) return false;
    put(sink, tag);
    sink.f64(typeof value === 'number' ? value : (value as JavaInteger).value);
  }
  return true;
}

function numberTag(value: unknown): Tag | null {
  if (typeof value === 'number') return 'double';
  if (value instanceof JavaInteger) return 'int';
  if (value instanceof JavaFloat) return 'float';
  if (value instanceof JavaSmall) return value.type;
  return value instanceof JavaCharacter ? 'char' : null;
}

function put(sink: ByteSink, tag: Tag): void {
  sink.u8(TAGS.indexOf(tag));
}

function withText(sink: ByteSink, tag: Tag, text: string): void {
  put(sink, tag);
  sink.text(text);
}

/** @throws DamagedBytes for what `writeScriptValue` does not write */
export function readScriptValue(from: ByteSource, depth = 0): unknown {
  if (depth > DEPTH_MAX) throw new DamagedBytes(`values of a script nest deeper than ${DEPTH_MAX}`);
  const index = from.u8();
  const tag = TAGS[index];
  switch (tag) {
    case undefined:
      throw new DamagedBytes(`${index} names no type of a script's value`);
    case 'list':
      return readItems(from, depth);
    case 'set':
      return new JavaSet('java.util.HashSet', readItems(from, depth));
    case 'map': {
      const map = new JavaMap();
      for (let left = readCount(from); left > 0; left--) {
        const key = readScriptValue(from, depth + 1);
        map.set(key, readScriptValue(from, depth + 1));
      }
      return map;
    }
    default:
      return readSimple(from, tag);
  }
}

function readSimple(from: ByteSource, tag: Exclude<Tag, 'list' | 'set' | 'map'>): unknown {
  switch (tag) {
    case 'null':
      return null;
    case 'false':
    case 'true':
      return tag === 'true';
    case 'text':
      return from.text();
    case 'long':
      return BigInt.asIntN(64, readBig(from));
    case 'big':
      return new JavaBigInteger(readBig(from));
    case 'double':
      return from.f64();
    case 'int':
      return JavaInteger.of(from.f64() | 0);
    case 'float':
      return new JavaFloat(Math.fround(from.f64()));
    case 'char':
      return new JavaCharacter(from.f64() & 0xffff);
    case 'byte':
    case 'short':
      return new JavaSmall((from.f64() << 16) >> 16, tag);
    case 'date':
      return readDate(from);
  }
}

function readDate(from: ByteSource): JavaDateTime {
  const ms = from.f64();
  const zone = from.text();
  try {
    return new JavaDateTime(ms, JavaZone.of(zone));
  } catch (error) {
    if (error instanceof JavaException) throw new DamagedBytes(`[${zone}] is no time zone`);
    throw error;
  }
}

function readBig(from: ByteSource): bigint {
  const text = from.text();
  if (!/^-?\d{1,400}$/.test(text)) throw new DamagedBytes(`[${text}] is no whole number`);
  return BigInt(text);
}

/** Every item takes a byte at least: a count that cannot be true is refused before anything is made. */
function readCount(from: ByteSource): number {
  const count = from.varint();
  if (count > from.bytes.length - from.at) throw new DamagedBytes(`${count} items in ${from.bytes.length} bytes`);
  return count;
}

function readItems(from: ByteSource, depth: number): unknown[] {
  const items: unknown[] = [];
  for (let left = readCount(from); left > 0; left--) items.push(readScriptValue(from, depth + 1));
  return items;
}
