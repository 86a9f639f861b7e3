/**
 * Maps and sets of scripts: keys are compared by value, in the order in which they came.
 */
import { boxed, JavaBigInteger, JavaCharacter, JavaFloat, JavaInteger, JavaSmall } from './java-numbers.ts';
import { ScriptObject } from './script-object.ts';

/** Keys that are objects in JavaScript are told apart by a text with this in front. */
const MARK = '\u0000';

/** What tells a key from others in a JavaScript map. */
export function keyOf(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? `${MARK}s${value}` : value;
  if (value instanceof JavaInteger) return `${MARK}i${value.value}`;
  if (value instanceof JavaFloat) return `${MARK}f${value.value}`;
  if (value instanceof JavaCharacter) return `${MARK}c${value.value}`;
  if (value instanceof JavaSmall) return `${MARK}${value.type}${value.value}`;
  if (value instanceof JavaBigInteger) return `${MARK}b${value.value}`;
  if (value instanceof ScriptObject) {
    const key = value.key();
    return typeof key === 'string' ? `${MARK}o${key}` : key;
  }
  if (Array.isArray(value)) return `${MARK}l[${value.map(keyText).join()}]`;
  return value;
}

function keyText(value: unknown): string {
  const key = keyOf(value);
  return typeof key === 'string' ? JSON.stringify(key) : `${typeof key}${String(key)}`;
}

/** `java.util.Map` of any kind. Subclasses may make their values when they are asked for. */
export class JavaMap {
  readonly #entries = new Map<unknown, readonly [key: unknown, value: unknown]>();
  /** Name of its class. */
  readonly javaClass: string;
  /** Changes since it was made: what was read under one version holds as long as it is the same. */
  version = 0;

  constructor(javaClass = 'java.util.HashMap') {
    this.javaClass = javaClass;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: unknown): unknown {
    const entry = this.#entries.get(typeof key === 'string' && key.charCodeAt(0) !== 0 ? key : keyOf(key));
    return entry === undefined ? null : entry[1];
  }

  has(key: unknown): boolean {
    return this.#entries.has(keyOf(key));
  }

  /** @returns the value that was there before; null without one */
  set(key: unknown, value: unknown): unknown {
    const own = keyOf(key);
    const before = this.#entries.get(own);
    this.#entries.set(own, [before === undefined ? key : before[0], value]);
    this.version++;
    return before === undefined ? null : before[1];
  }

  delete(key: unknown): unknown {
    const own = keyOf(key);
    const before = this.#entries.get(own);
    this.#entries.delete(own);
    this.version++;
    return before === undefined ? null : before[1];
  }

  clear(): void {
    this.#entries.clear();
    this.version++;
  }

  /** Keys and values, as they are now. */
  entries(): (readonly [key: unknown, value: unknown])[] {
    return [...this.#entries.values()];
  }

  /** A map from names to values. */
  static of(members: Readonly<Record<string, unknown>>): JavaMap {
    const map = new JavaMap();
    for (const [name, value] of Object.entries(members)) map.set(name, value);
    return map;
  }
}

/** `java.util.Set` of any kind. */
export class JavaSet {
  readonly #items = new Map<unknown, unknown>();
  readonly javaClass: string;

  constructor(javaClass = 'java.util.HashSet', items: readonly unknown[] = []) {
    this.javaClass = javaClass;
    for (const item of items) this.add(item);
  }

  get size(): number {
    return this.#items.size;
  }

  has(item: unknown): boolean {
    return this.#items.has(keyOf(item));
  }

  add(item: unknown): boolean {
    const key = keyOf(item);
    if (this.#items.has(key)) return false;
    this.#items.set(key, item);
    return true;
  }

  delete(item: unknown): boolean {
    return this.#items.delete(keyOf(item));
  }

  clear(): void {
    this.#items.clear();
  }

  items(): unknown[] {
    return [...this.#items.values()];
  }
}

/** One entry of a map, which may be written through. */
export class JavaEntry {
  readonly key: unknown;
  value: unknown;
  readonly map: JavaMap | null;

  constructor(key: unknown, value: unknown, map: JavaMap | null) {
    this.key = key;
    this.value = value;
    this.map = map;
  }
}

/** A list of another class than `ArrayList`: it is an array as all lists are, that knows its class. */
export class JavaList extends Array<unknown> {
  readonly javaClass: string;

  constructor(javaClass: string) {
    super();
    this.javaClass = javaClass;
  }

  /** What is made of its items is a plain list. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/** An array of Java, of a fixed length. The items are raw where the element type is primitive. */
export class JavaArray {
  readonly type: string;
  readonly items: unknown[];

  constructor(elementType: string, items: unknown[]) {
    this.type = elementType;
    this.items = items;
  }

  boxedItems(): unknown[] {
    return this.items.map((item) => boxed(item, this.type));
  }
}

/** Items of something of `java.util.stream`; each step makes all of its items. */
export class JavaStream {
  readonly items: readonly unknown[];
  /** `int`, `long` or `double` for streams of primitives; else `def`. */
  readonly type: 'int' | 'long' | 'double' | 'def';

  constructor(items: readonly unknown[], type: 'int' | 'long' | 'double' | 'def' = 'def') {
    this.items = items;
    this.type = type;
  }
}

export class JavaIterator {
  readonly items: readonly unknown[];
  readonly remove: (item: unknown) => void;
  position = 0;

  constructor(items: readonly unknown[], remove: (item: unknown) => void) {
    this.items = items;
    this.remove = remove;
  }
}

export class JavaOptional {
  /** null: empty. */
  readonly value: unknown;
  readonly type: 'int' | 'long' | 'double' | 'def';

  constructor(value: unknown, type: 'int' | 'long' | 'double' | 'def' = 'def') {
    this.value = value;
    this.type = type;
  }
}

export class JavaStringBuilder {
  text = '';
}
