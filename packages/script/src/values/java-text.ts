/**
 * Values of scripts as Java prints them, and the names of their classes.
 */
import { javaDoubleText, javaFloatText } from '@shoal/core';
import { JavaException } from './java-exception.ts';
import {
  JavaArray,
  JavaEntry,
  JavaIterator,
  JavaList,
  JavaMap,
  JavaOptional,
  JavaSet,
  JavaStream,
  JavaStringBuilder,
} from './java-map.ts';
import { JavaBigInteger, JavaCharacter, JavaFloat, JavaInteger, JavaSmall, numberType } from './java-numbers.ts';
import { ScriptObject } from './script-object.ts';

/** Values within values that are printed; those that hold themselves would never end. */
const DEPTH_MAX = 100;

export function textOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return unquoted(javaDoubleText(value));
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof JavaInteger || value instanceof JavaSmall) return String(value.value);
  if (value instanceof JavaFloat) return unquoted(javaFloatText(value.value));
  if (value instanceof JavaCharacter) return String.fromCharCode(value.value);
  if (value instanceof ScriptObject) return value.text();
  if (depth > DEPTH_MAX) return '...';
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, depth + 1)).join(', ')}]`;
  if (value instanceof JavaSet) return textOf(value.items(), depth);
  if (value instanceof JavaMap) {
    return `{${value
      .entries()
      .map(([key, item]) => `${textOf(key, depth + 1)}=${textOf(item, depth + 1)}`)
      .join(', ')}}`;
  }
  if (value instanceof JavaEntry) return `${textOf(value.key, depth + 1)}=${textOf(value.value, depth + 1)}`;
  if (value instanceof JavaStringBuilder) return value.text;
  if (value instanceof JavaBigInteger) return String(value.value);
  if (value instanceof JavaException)
    return value.text === null ? value.javaClass : `${value.javaClass}: ${value.text}`;
  if (value instanceof JavaOptional)
    return value.value === null ? 'Optional.empty' : `Optional[${textOf(value.value)}]`;
  return `${classOf(value)}@0`;
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1) : text;
}

/** Canonical name of the class of a boxed value; null has none. */
export function classOf(value: unknown): string {
  if (typeof value === 'string') return 'java.lang.String';
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  if (value instanceof ScriptObject) return value.javaClass;
  const number = numberType(value);
  if (number !== null) return NUMBER_CLASSES[number];
  if (Array.isArray(value)) return value instanceof JavaList ? value.javaClass : 'java.util.ArrayList';
  if (value instanceof JavaMap || value instanceof JavaSet) return value.javaClass;
  if (value instanceof JavaException) return value.javaClass;
  if (value instanceof JavaArray) return `${value.type}[]`;
  if (value instanceof JavaStream) return STREAM_CLASSES[value.type];
  if (value instanceof JavaOptional) return OPTIONAL_CLASSES[value.type];
  if (value instanceof JavaEntry) return 'java.util.Map.Entry';
  if (value instanceof JavaIterator) return 'java.util.Iterator';
  if (value instanceof JavaStringBuilder) return 'java.lang.StringBuilder';
  if (value instanceof JavaBigInteger) return 'java.math.BigInteger';
  return 'java.lang.Object';
}

const NUMBER_CLASSES = {
  byte: 'java.lang.Byte',
  short: 'java.lang.Short',
  char: 'java.lang.Character',
  int: 'java.lang.Integer',
  long: 'java.lang.Long',
  float: 'java.lang.Float',
  double: 'java.lang.Double',
} as const;
const STREAM_CLASSES = {
  int: 'java.util.stream.IntStream',
  long: 'java.util.stream.LongStream',
  double: 'java.util.stream.DoubleStream',
  def: 'java.util.stream.Stream',
} as const;
const OPTIONAL_CLASSES = {
  int: 'java.util.OptionalInt',
  long: 'java.util.OptionalLong',
  double: 'java.util.OptionalDouble',
  def: 'java.util.Optional',
} as const;
