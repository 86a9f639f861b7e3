/**
 * Values in the form in which Ruby's memcached client stores them (Marshal 4.8), as far as JSON has such values: Logstash
 * and this agent read each other's entries.
 */
import type { EventValue } from '@shoal/agent-event';
import { Timestamp } from '@shoal/agent-event';
import { asFloat, asInteger, DoubleNumber, ShoalError } from '@shoal/core';

/** Deeper values are an attack. */
const DEPTH_MAX = 100;

export function marshal(value: EventValue): Buffer {
  const symbols = new Map<string, number>();
  return Buffer.concat([Buffer.from([4, 8]), ...parts(value, symbols)]);
}

function parts(value: EventValue, symbols: Map<string, number>): Buffer[] {
  if (value === null) return [Buffer.from('0')];
  if (typeof value === 'boolean') return [Buffer.from(value ? 'T' : 'F')];
  if (typeof value === 'string') return stringParts(value, symbols);
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value)))
    return [integerPart(BigInt(value))];
  if (typeof value === 'number') return [Buffer.from('f'), counted(Buffer.from(String(value)))];
  if (value instanceof DoubleNumber) return [Buffer.from('f'), counted(Buffer.from(String(value.value)))];
  if (value instanceof Timestamp) return stringParts(value.toString(), symbols);
  if (Array.isArray(value)) {
    return [Buffer.from('['), count(value.length), ...value.flatMap((item) => parts(item, symbols))];
  }
  const pairs = [...value].flatMap(([name, item]) => [...stringParts(name, symbols), ...parts(item, symbols)]);
  return [Buffer.from('{'), count(value.size), ...pairs];
}

/** A string with its encoding, which is named in full the first time only. */
function stringParts(text: string, symbols: Map<string, number>): Buffer[] {
  const known = symbols.get('E');
  if (known === undefined) symbols.set('E', symbols.size);
  const encoding =
    known === undefined ? [Buffer.from(':'), counted(Buffer.from('E'))] : [Buffer.from(';'), count(known)];
  return [Buffer.from('I"'), counted(Buffer.from(text)), count(1), ...encoding, Buffer.from('T')];
}

function integerPart(value: bigint): Buffer {
  if (value >= -(2n ** 30n) && value < 2n ** 30n) return Buffer.concat([Buffer.from('i'), count(Number(value))]);
  let rest = value < 0n ? -value : value;
  const bytes: number[] = [];
  for (; rest > 0n; rest >>= 8n) bytes.push(Number(rest & 0xffn));
  if (bytes.length % 2 === 1) bytes.push(0);
  return Buffer.concat([Buffer.from(`l${value < 0n ? '-' : '+'}`), count(bytes.length / 2), Buffer.from(bytes)]);
}

function counted(bytes: Buffer): Buffer {
  return Buffer.concat([count(bytes.length), bytes]);
}

/** Ruby's packed integers: one byte up to 122, else the number of bytes and these. */
function count(value: number): Buffer {
  if (value === 0) return Buffer.from([0]);
  if (value > 0 && value < 123) return Buffer.from([value + 5]);
  if (value < 0 && value > -124) return Buffer.from([(value - 5) & 0xff]);
  const bytes: number[] = [];
  for (let rest = value; rest !== 0 && rest !== -1; rest >>= 8) bytes.push(rest & 0xff);
  return Buffer.from([(value > 0 ? bytes.length : -bytes.length) & 0xff, ...bytes]);
}

/** @throws ShoalError for what is not Marshal, or holds objects of Ruby */
export function unmarshal(bytes: Buffer): EventValue {
  if (bytes[0] !== 4 || bytes[1] !== 8) throw unreadable('its version is not 4.8');
  return new MarshalReader(bytes, 2).value(0);
}

function unreadable(why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `the stored value cannot be read: ${why}`);
}

class MarshalReader {
  private readonly bytes: Buffer;
  private at: number;
  private readonly symbols: string[] = [];
  private readonly objects: EventValue[] = [];

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  value(depth: number): EventValue {
    if (depth > DEPTH_MAX) throw unreadable('it is too deep');
    const type = String.fromCharCode(this.byte());
    switch (type) {
      case '0':
        return null;
      case 'T':
        return true;
      case 'F':
        return false;
      case 'i':
        return this.count();
      case ':':
      case ';':
        return this.symbol(type);
      case 'I': {
        const inner = this.value(depth + 1);
        // Names and values of what belongs to the string: its encoding.
        for (let left = this.count(); left > 0; left--) {
          this.value(depth + 1);
          this.value(depth + 1);
        }
        return inner;
      }
      case '@': {
        const known = this.objects[this.count()];
        if (known === undefined) throw unreadable('a link leads nowhere');
        return known;
      }
      default:
        return this.object(type, depth);
    }
  }

  private object(type: string, depth: number): EventValue {
    const place = this.objects.length;
    this.objects.push(null);
    const keep = (value: EventValue): EventValue => {
      this.objects[place] = value;
      return value;
    };
    if (type === '"') return keep(this.take(this.count()).toString('utf8'));
    if (type === 'f') return keep(realOf(this.take(this.count()).toString('latin1')));
    if (type === 'l') return keep(this.bigInteger());
    if (type === '[') {
      const items: EventValue[] = [];
      keep(items);
      for (let left = this.length(); left > 0; left--) items.push(this.value(depth + 1));
      return items;
    }
    if (type === '{') {
      const map = new Map<string, EventValue>();
      keep(map);
      for (let left = this.length(); left > 0; left--) map.set(String(this.value(depth + 1)), this.value(depth + 1));
      return map;
    }
    throw unreadable(`it holds an object of Ruby (type "${type}")`);
  }

  private symbol(type: string): string {
    if (type === ';') return this.symbols[this.count()] ?? '';
    const name = this.take(this.count()).toString('utf8');
    this.symbols.push(name);
    return name;
  }

  private bigInteger(): EventValue {
    const isNegative = String.fromCharCode(this.byte()) === '-';
    const bytes = this.take(this.count() * 2);
    const size = [...bytes].reverse().reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
    const value = isNegative ? -size : size;
    return asInteger(value);
  }

  /** Each item takes a byte at least. */
  private length(): number {
    const length = this.count();
    if (length < 0 || length > this.bytes.length - this.at) throw unreadable('it is cut off');
    return length;
  }

  private byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw unreadable('it is cut off');
    return byte;
  }

  private take(size: number): Buffer {
    if (size < 0 || this.at + size > this.bytes.length) throw unreadable('it is cut off');
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  private count(): number {
    const first = (this.byte() << 24) >> 24;
    if (first === 0) return 0;
    if (first > 4) return first - 5;
    if (first < -4) return first + 5;
    const bytes = this.take(Math.abs(first));
    let value = first < 0 ? -1 : 0;
    for (const [index, byte] of bytes.entries()) value = (value & ~(0xff << (8 * index))) | (byte << (8 * index));
    return value;
  }
}

function realOf(text: string): EventValue {
  const value = Number(text.replace('inf', 'Infinity'));
  if (!Number.isFinite(value)) return null;
  return asFloat(value);
}
