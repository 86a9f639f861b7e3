/**
 * Schemas of Avro: the JSON of a schema file as a tree in which named types are resolved. Pure.
 */
import { messageOf, ShoalError } from '@shoal/core';

const DEPTH_MAX = 100;

export type AvroPrimitive = 'null' | 'boolean' | 'int' | 'long' | 'float' | 'double' | 'bytes' | 'string';

export type AvroType =
  | { readonly kind: AvroPrimitive; readonly logical: string | null; readonly scale: number }
  | { readonly kind: 'record'; readonly name: string; readonly fields: readonly AvroField[] }
  | { readonly kind: 'enum'; readonly name: string; readonly symbols: readonly string[] }
  | {
      readonly kind: 'fixed';
      readonly name: string;
      readonly size: number;
      readonly logical: string | null;
      readonly scale: number;
    }
  | { readonly kind: 'array'; readonly items: AvroType }
  | { readonly kind: 'map'; readonly values: AvroType }
  | { readonly kind: 'union'; readonly types: readonly AvroType[] };

export interface AvroField {
  readonly name: string;
  readonly type: AvroType;
  /** Value in terms of JSON for a field that an event does not have; undefined for none. */
  readonly fallback: unknown;
}

const PRIMITIVES: readonly string[] = ['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string'];

/** @throws ShoalError for what is no schema */
export function parseAvroSchema(text: string): AvroType {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw bad(messageOf(error));
  }
  return new SchemaReader().type(json, '', 0);
}

class SchemaReader {
  /** Named types by their full name. A record is listed before its fields are read: it may hold itself. */
  private readonly named = new Map<string, AvroType>();

  type(json: unknown, namespace: string, depth: number): AvroType {
    if (depth > DEPTH_MAX) throw bad(`it is nested deeper than ${DEPTH_MAX}`);
    if (typeof json === 'string') return this.reference(json, namespace);
    if (Array.isArray(json)) return { kind: 'union', types: json.map((one) => this.type(one, namespace, depth + 1)) };
    const object = asObject(json);
    const { type } = object;
    switch (type) {
      case 'record':
      case 'error':
        return this.record(object, namespace, depth);
      case 'enum':
        return this.enumeration(object, namespace);
      case 'fixed':
        return this.fixed(object, namespace);
      case 'array':
        return { kind: 'array', items: this.type(object.items, namespace, depth + 1) };
      case 'map':
        return { kind: 'map', values: this.type(object.values, namespace, depth + 1) };
      default: {
        const inner = this.type(type, namespace, depth + 1);
        return 'logical' in inner ? { ...inner, ...logicalOf(object) } : inner;
      }
    }
  }

  private reference(name: string, namespace: string): AvroType {
    if (isPrimitive(name)) return { kind: name, logical: null, scale: 0 };
    const found = this.named.get(fullName(name, namespace)) ?? this.named.get(name);
    if (found === undefined) throw bad(`the type [${name}] is not defined`);
    return found;
  }

  private record(object: JsonObject, namespace: string, depth: number): AvroType {
    const name = nameOf(object, namespace);
    const fields: AvroField[] = [];
    const type: AvroType = { kind: 'record', name, fields };
    this.define(name, type);
    if (!Array.isArray(object.fields)) throw bad(`the record [${name}] has no fields`);
    for (const one of object.fields) {
      const field = asObject(one);
      if (typeof field.name !== 'string') throw bad(`a field of [${name}] has no name`);
      fields.push({ name: field.name, type: this.type(field.type, spaceOf(name), depth + 1), fallback: field.default });
    }
    return type;
  }

  private enumeration(object: JsonObject, namespace: string): AvroType {
    const name = nameOf(object, namespace);
    const { symbols } = object;
    if (!Array.isArray(symbols) || !symbols.every((symbol) => typeof symbol === 'string'))
      throw bad(`the enum [${name}] has no symbols`);
    return this.define(name, { kind: 'enum', name, symbols });
  }

  private fixed(object: JsonObject, namespace: string): AvroType {
    const name = nameOf(object, namespace);
    const size = Number(object.size);
    if (!Number.isInteger(size) || size < 0) throw bad(`the fixed [${name}] has no size`);
    return this.define(name, { kind: 'fixed', name, size, ...logicalOf(object) });
  }

  private define(name: string, type: AvroType): AvroType {
    if (this.named.has(name)) throw bad(`the type [${name}] is defined twice`);
    this.named.set(name, type);
    return type;
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

function asObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(`${JSON.stringify(value)} is no type`);
  return value as JsonObject;
}

function isPrimitive(name: string): name is AvroPrimitive {
  return PRIMITIVES.includes(name);
}

function nameOf({ name, namespace }: JsonObject, outer: string): string {
  if (typeof name !== 'string' || name === '') throw bad('a type has no name');
  return fullName(name, typeof namespace === 'string' ? namespace : outer);
}

function fullName(name: string, namespace: string): string {
  return name.includes('.') || namespace === '' ? name : `${namespace}.${name}`;
}

function spaceOf(name: string): string {
  return name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : '';
}

function logicalOf({ logicalType, scale }: JsonObject): { readonly logical: string | null; readonly scale: number } {
  return { logical: typeof logicalType === 'string' ? logicalType : null, scale: Number(scale ?? 0) };
}

function bad(why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `this is no Avro schema: ${why}`);
}
