/**
 * Values of Ruby scripts, and what a method of theirs is.
 *
 * Integers are numbers, or bigints beyond 2^53; floats are numbers, or `DoubleNumber`s when they are whole: the same kinds that
 * events have. Strings are objects, since scripts change them in place. Arrays are JavaScript's.
 */
import { asFloat, DoubleNumber } from '@shoal/core';

export type Value = null | boolean | number | bigint | DoubleNumber | Value[] | RubyObject;

/** A method of a class; `self` is always of that class, since it was found there. */
export type Method<Self extends Value = Value> = (
  machine: Machine,
  self: Self,
  args: readonly Value[],
  block: RubyProc | null,
) => Value;

export type Methods<Self extends Value = Value> = Readonly<Record<string, Method<Self>>>;

/** What methods may use of the machine that runs them. */
export interface Machine {
  call(receiver: Value, name: string, args?: readonly Value[], block?: RubyProc | null): Value;
  /** Counts work; throws when a script takes too long. */
  step(): void;
  /** Counts memory that is about to be taken, in units of a character or an item. */
  grow(units: number): void;
  wallMs(): number;
  monotonicMs(): number;
  /** Runs something that raises `Timeout::Error` where it takes longer. */
  within(limitMs: number, run: () => Value): Value;
  /** A fraction of 1, below it. */
  random(): number;
  randomBytes(length: number): Uint8Array;
  log(text: string, level: 'debug' | 'info' | 'warn' | 'error'): void;
  /** A pattern made at run time. */
  regexp(source: string, flags: string): RubyObject;
  /** `$~` of the method that runs. */
  lastMatch: RubyObject | null;
  /** `$!`: what is being rescued. */
  currentError: RubyObject | null;
}

export abstract class RubyObject {
  abstract readonly rubyClass: RubyClass;
  isFrozen = false;

  /** What stands for it as the key of a hash: objects are keys by identity unless they say otherwise. */
  hashKey(): unknown {
    return this;
  }

  /** `inspect`, for what is no collection. */
  show(): string {
    return `#<${this.rubyClass.name}>`;
  }

  /** `to_s`. */
  print(): string {
    return this.show();
  }

  /** `==` with another object. */
  equals(other: RubyObject): boolean {
    return this === other;
  }

  /** `<=>` with another object; null where there is no order. */
  compareTo(_other: RubyObject): number | null {
    return null;
  }
}

export class RubyClass extends RubyObject {
  readonly name: string;
  readonly parent: RubyClass | null;
  readonly isModule: boolean;
  readonly mixins: readonly RubyClass[];
  readonly methods: Map<string, Method> = new Map();
  readonly classMethods: Map<string, Method> = new Map();
  private readonly found = new Map<string, Method | null>();

  constructor(name: string, parent: RubyClass | null, mixins: readonly RubyClass[] = [], isModule = false) {
    super();
    this.name = name;
    this.parent = parent;
    this.mixins = mixins;
    this.isModule = isModule;
  }

  override show(): string {
    return this.name;
  }

  get rubyClass(): RubyClass {
    return CLASS;
  }

  /** The table is filled once, before scripts run. */
  define<Self extends Value>(methods: Methods<Self>): void {
    // Methods are found by the class of the value that they get as self.
    for (const [name, method] of Object.entries(methods)) this.methods.set(name, method as unknown as Method);
  }

  defineOnClass(methods: Methods<RubyClass>): void {
    for (const [name, method] of Object.entries(methods)) this.classMethods.set(name, method as unknown as Method);
  }

  /** Puts another method around one that the class has, of its own or not. */
  wrap(name: string, around: (method: Method) => Method): void {
    const method = this.search(name);
    if (method !== null) this.methods.set(name, around(method));
  }

  find(name: string): Method | null {
    const known = this.found.get(name);
    if (known !== undefined) return known;
    const method = this.search(name);
    // Names come from scripts, or from data where a script sends them on: only those that exist are kept.
    if (method !== null) this.found.set(name, method);
    return method;
  }

  private search(name: string): Method | null {
    const own = this.methods.get(name);
    if (own !== undefined) return own;
    for (const mixin of this.mixins) {
      const mixed = mixin.find(name);
      if (mixed !== null) return mixed;
    }
    return this.parent?.find(name) ?? null;
  }

  findOnClass(name: string): Method | null {
    return this.classMethods.get(name) ?? this.parent?.findOnClass(name) ?? null;
  }

  isWithin(other: RubyClass): boolean {
    return this === other || this.mixins.includes(other) || (this.parent?.isWithin(other) ?? false);
  }
}

export const BASIC_OBJECT: RubyClass = new RubyClass('BasicObject', null);
export const KERNEL: RubyClass = new RubyClass('Kernel', null, [], true);
export const OBJECT: RubyClass = new RubyClass('Object', BASIC_OBJECT, [KERNEL]);
export const COMPARABLE: RubyClass = new RubyClass('Comparable', null, [], true);
export const ENUMERABLE: RubyClass = new RubyClass('Enumerable', null, [], true);
export const MODULE: RubyClass = new RubyClass('Module', OBJECT);
export const CLASS: RubyClass = new RubyClass('Class', MODULE);
export const NIL: RubyClass = new RubyClass('NilClass', OBJECT);
export const TRUE: RubyClass = new RubyClass('TrueClass', OBJECT);
export const FALSE: RubyClass = new RubyClass('FalseClass', OBJECT);
export const NUMERIC: RubyClass = new RubyClass('Numeric', OBJECT, [COMPARABLE]);
export const INTEGER: RubyClass = new RubyClass('Integer', NUMERIC);
export const FLOAT: RubyClass = new RubyClass('Float', NUMERIC);
export const STRING: RubyClass = new RubyClass('String', OBJECT, [COMPARABLE]);
export const SYMBOL: RubyClass = new RubyClass('Symbol', OBJECT, [COMPARABLE]);
export const ARRAY: RubyClass = new RubyClass('Array', OBJECT, [ENUMERABLE]);
export const HASH: RubyClass = new RubyClass('Hash', OBJECT, [ENUMERABLE]);
export const RANGE: RubyClass = new RubyClass('Range', OBJECT, [ENUMERABLE]);
export const PROC: RubyClass = new RubyClass('Proc', OBJECT);
export const ENUMERATOR: RubyClass = new RubyClass('Enumerator', OBJECT, [ENUMERABLE]);

export function classOf(value: Value): RubyClass {
  if (value === null) return NIL;
  if (value instanceof RubyObject) return value.rubyClass;
  if (typeof value === 'number') return Number.isInteger(value) ? INTEGER : FLOAT;
  if (Array.isArray(value)) return ARRAY;
  if (typeof value === 'boolean') return value ? TRUE : FALSE;
  return typeof value === 'bigint' ? INTEGER : FLOAT;
}

/** UTF-8 text, or bytes as characters up to U+00FF. Bytes of a text that are no UTF-8 stand as U+DC80 to U+DCFF. */
export class RubyString extends RubyObject {
  text: string;
  isBinary: boolean;

  constructor(text: string, isBinary = false) {
    super();
    this.text = text;
    this.isBinary = isBinary;
  }

  get rubyClass(): RubyClass {
    return STRING;
  }

  override hashKey(): unknown {
    return this.text.startsWith('\0') ? `\0s${this.text}` : this.text;
  }
}

export class RubySymbol extends RubyObject {
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
    this.isFrozen = true;
  }

  get rubyClass(): RubyClass {
    return SYMBOL;
  }

  override hashKey(): unknown {
    return `\0:${this.name}`;
  }

  override show(): string {
    return /^(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*[?!=]?|\[\]=?|[-+*/%<>!~^&|]|==|===|<=>|<=|>=|<<|>>|\*\*|=~)$/.test(
      this.name,
    )
      ? `:${this.name}`
      : `:${JSON.stringify(this.name)}`;
  }

  override print(): string {
    return this.name;
  }

  override equals(other: RubyObject): boolean {
    return other instanceof RubySymbol && other.name === this.name;
  }
}

export class RubyRange extends RubyObject {
  readonly from: Value;
  /** nil for a range without an end. */
  readonly to: Value;
  readonly isExclusive: boolean;

  constructor(from: Value, to: Value, isExclusive: boolean) {
    super();
    this.from = from;
    this.to = to;
    this.isExclusive = isExclusive;
  }

  get rubyClass(): RubyClass {
    return RANGE;
  }

  override hashKey(): unknown {
    return `\0r${String(hashKeyOf(this.from))}\0${String(hashKeyOf(this.to))}\0${this.isExclusive}`;
  }
}

export class RubyProc extends RubyObject {
  /** Called with the arguments of a block: one array for several parameters is taken apart unless it is a lambda. */
  readonly run: (args: readonly Value[], block: RubyProc | null) => Value;
  /** Parameters that must be given; negative where there may be more. */
  readonly arity: number;
  readonly isLambda: boolean;

  constructor(run: (args: readonly Value[], block: RubyProc | null) => Value, arity = -1, isLambda = false) {
    super();
    this.run = run;
    this.arity = arity;
    this.isLambda = isLambda;
  }

  get rubyClass(): RubyClass {
    return PROC;
  }
}

interface HashEntry {
  readonly key: Value;
  value: Value;
}

export class RubyHash extends RubyObject {
  readonly entries: Map<unknown, HashEntry> = new Map();
  fallback: Value = null;
  fallbackBlock: RubyProc | null = null;
  /** Made of the labels of a call. */
  isKeywords = false;

  static of(pairs: Iterable<readonly [Value, Value]>): RubyHash {
    const hash = new RubyHash();
    for (const [key, value] of pairs) hash.set(key, value);
    return hash;
  }

  get rubyClass(): RubyClass {
    return HASH;
  }

  /** undefined when there is no such key. */
  get(key: Value): Value | undefined {
    return this.entries.get(hashKeyOf(key))?.value;
  }

  set(key: Value, value: Value): void {
    const own = hashKeyOf(key);
    const entry = this.entries.get(own);
    if (entry === undefined) this.entries.set(own, { key: keptKey(key), value });
    else entry.value = value;
  }

  delete(key: Value): void {
    this.entries.delete(hashKeyOf(key));
  }

  pairs(): [Value, Value][] {
    return Array.from(this.entries.values(), ({ key, value }) => [key, value]);
  }

  override hashKey(): unknown {
    return `\0h${this.pairs()
      .map(([key, value]) => `${lengthened(key)}${lengthened(value)}`)
      .sort()
      .join('')}`;
  }
}

export function hashKeyOf(value: Value): unknown {
  if (value instanceof RubyObject) return value.hashKey();
  if (Array.isArray(value)) return `\0a${value.map(lengthened).join('')}`;
  return value instanceof DoubleNumber ? `\0f${value.value}` : value;
}

function lengthened(value: Value): string {
  const key = hashKeyOf(value);
  const text = `${typeof key}${String(key)}`;
  return `${text.length}:${text}`;
}

/** A string that is a key never changes. */
function keptKey(key: Value): Value {
  if (!(key instanceof RubyString) || key.isFrozen) return key;
  const copy = new RubyString(key.text, key.isBinary);
  copy.isFrozen = true;
  return copy;
}

export function str(text: string): RubyString {
  return new RubyString(text);
}

export function truthy(value: Value): boolean {
  return value !== null && value !== false;
}

/** A number as Ruby's Float. */
export function float(value: number): Value {
  return asFloat(value);
}

/** An integer of any size in its own kind. */
export function integer(value: bigint | number): Value {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : integer(BigInt(value));
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

export function isInteger(value: Value): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}

export function isFloat(value: Value): value is number | DoubleNumber {
  return value instanceof DoubleNumber || (typeof value === 'number' && !Number.isInteger(value));
}

/** null for what is no number. */
export function numberOf(value: Value): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof DoubleNumber ? value.value : null;
}
