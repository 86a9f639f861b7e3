/**
 * Values that a script may look at and not change, made of plain ones when it asks for them.
 */
import { ShoalError } from '@shoal/core';
import { JavaException } from '../values/java-exception.ts';
import { JavaMap } from '../values/java-map.ts';
import { textOf } from '../values/java-text.ts';
import { fromPlain } from '../values/json-values.ts';

const UNSUPPORTED = 'java.lang.UnsupportedOperationException';

export class ReadOnlyValues {
  /** Reason of the failure of a script that changes something. */
  readonly reason: string;
  /** Lists that the script was given, with what was in them. */
  readonly #lists: (readonly [given: readonly unknown[], before: readonly unknown[]])[] = [];

  constructor(reason: string) {
    this.reason = reason;
  }

  mapOf(members: ReadonlyMap<string, unknown>): JavaMap {
    return new ReadOnlyMap(members, this);
  }

  valueOf(value: unknown): unknown {
    if (value instanceof Map) return this.mapOf(value);
    if (!Array.isArray(value)) return fromPlain(value);
    const given = value.map((item) => this.valueOf(item));
    this.#lists.push([given, [...given]]);
    return given;
  }

  /** To be called behind the script. @throws ShoalError `script_exception` (400) when it changed a list */
  check(): void {
    const isChanged = this.#lists.some(
      ([given, before]) => given.length !== before.length || given.some((item, at) => item !== before[at]),
    );
    if (!isChanged) return;
    throw new ShoalError('script_exception', 400, 'runtime error', {
      causedBy: new ShoalError('unsupported_operation_exception', 400, this.reason),
    });
  }
}

class ReadOnlyMap extends JavaMap {
  readonly #members: ReadonlyMap<string, unknown>;
  readonly #values: ReadOnlyValues;
  readonly #made = new Map<string, unknown>();

  constructor(members: ReadonlyMap<string, unknown>, values: ReadOnlyValues) {
    super();
    this.#members = members;
    this.#values = values;
  }

  override get size(): number {
    return this.#members.size;
  }

  override get(key: unknown): unknown {
    const name = textOf(key);
    if (!this.has(key)) return null;
    if (!this.#made.has(name)) this.#made.set(name, this.#values.valueOf(this.#members.get(name)));
    return this.#made.get(name);
  }

  override has(key: unknown): boolean {
    return typeof key === 'string' && this.#members.has(key);
  }

  override set(): never {
    throw new JavaException(UNSUPPORTED, this.#values.reason);
  }

  override delete(): never {
    throw new JavaException(UNSUPPORTED, this.#values.reason);
  }

  override clear(): never {
    throw new JavaException(UNSUPPORTED, this.#values.reason);
  }

  override entries(): (readonly [key: unknown, value: unknown])[] {
    return [...this.#members.keys()].map((name) => [name, this.get(name)] as const);
  }
}
