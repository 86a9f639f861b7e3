/**
 * Keys of buckets and formats of values as bytes and back.
 */
import { assert, type ByteSink, type ByteSource, DamagedBytes } from '@shoal/core';
import { GEOHASH_LETTERS_MAX, ZOOM_MAX } from '@shoal/geo';
import type { BucketKey, KeyKind } from '../values/bucket-key.ts';
import { PLAIN_FORMAT, type ValueFormat } from '../values/value-format.ts';
import { readChoice } from './wire-list.ts';

/** The byte on the wire is the position in the list. */
const FORMATS: readonly ValueFormat['kind'][] = [
  'plain',
  'boolean',
  'ip',
  'date',
  'decimal',
  'binary',
  'geohash',
  'geotile',
  'version',
];
const KEY_KINDS: readonly KeyKind[] = ['text', 'long', 'double'];

const KEY_NONE = 0;
const KEY_TEXT = 1;
const KEY_NUMBER = 2;
const KEY_BIGINT = 3;
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

export function writeFormat(sink: ByteSink, format: ValueFormat): void {
  const index = FORMATS.indexOf(format.kind);
  assert(index >= 0, `no byte for a value format of kind ${format.kind}`);
  sink.u8(index);
  if (format.kind === 'date') {
    sink.text(format.format);
    sink.text(format.timeZone);
  } else if (format.kind === 'decimal') sink.text(format.pattern);
  else if (format.kind === 'geohash' || format.kind === 'geotile') sink.u8(format.precision);
}

export function readFormat(from: ByteSource): ValueFormat {
  const kind = readChoice(from, FORMATS);
  if (kind === 'date') return { kind, format: from.text(), timeZone: from.text() };
  if (kind === 'decimal') return { kind, pattern: from.text() };
  if (kind === 'geohash' || kind === 'geotile') return { kind, precision: readPrecision(from, kind) };
  return kind === 'plain' ? PLAIN_FORMAT : { kind };
}

function readPrecision(from: ByteSource, kind: 'geohash' | 'geotile'): number {
  const precision = from.u8();
  const isValid = kind === 'geohash' ? precision >= 1 && precision <= GEOHASH_LETTERS_MAX : precision <= ZOOM_MAX;
  if (!isValid) throw new DamagedBytes(`a ${kind} of precision ${precision}`);
  return precision;
}

export function writeKeyKind(sink: ByteSink, kind: KeyKind): void {
  const index = KEY_KINDS.indexOf(kind);
  assert(index >= 0, `no byte for keys of kind ${kind}`);
  sink.u8(index);
}

export function readKeyKind(from: ByteSource): KeyKind {
  return readChoice(from, KEY_KINDS);
}

/** What the keys of a result are, and how they are shown. */
export interface KeyShape {
  readonly keyKind: KeyKind;
  readonly format: ValueFormat;
}

export function writeKeyShape(sink: ByteSink, { keyKind, format }: KeyShape): void {
  writeKeyKind(sink, keyKind);
  writeFormat(sink, format);
}

export function readKeyShape(from: ByteSource): KeyShape {
  return { keyKind: readKeyKind(from), format: readFormat(from) };
}

export function writeKey(sink: ByteSink, key: BucketKey | null): void {
  if (key === null) sink.u8(KEY_NONE);
  else if (typeof key === 'string') {
    sink.u8(KEY_TEXT);
    sink.text(key);
  } else if (typeof key === 'number') {
    sink.u8(KEY_NUMBER);
    sink.f64(key);
  } else {
    sink.u8(KEY_BIGINT);
    sink.text(String(key));
  }
}

export function readKey(from: ByteSource): BucketKey | null {
  const kind = from.u8();
  if (kind === KEY_NONE) return null;
  if (kind === KEY_TEXT) return from.text();
  if (kind === KEY_NUMBER) return from.f64();
  const text = from.text();
  if (kind !== KEY_BIGINT || !/^-?\d{1,20}$/.test(text)) throw new DamagedBytes(`a key of kind ${kind}`);
  const value = BigInt(text);
  return value <= SAFE && value >= -SAFE ? Number(value) : value;
}

/** A key that must be there. */
export function readPresentKey(from: ByteSource): BucketKey {
  const key = readKey(from);
  if (key === null) throw new DamagedBytes('a bucket without a key');
  return key;
}
