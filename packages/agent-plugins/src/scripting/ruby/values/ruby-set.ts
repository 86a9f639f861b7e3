/**
 * Sets of Ruby scripts: values that are there once each, in the order in which they came.
 */
import { inspect } from './inspect.ts';
import { ENUMERABLE, hashKeyOf, OBJECT, RubyClass, RubyHash, RubyObject, type Value } from './ruby-value.ts';

export const SET: RubyClass = new RubyClass('Set', OBJECT, [ENUMERABLE]);

export class RubySet extends RubyObject {
  /** The items are its keys. */
  readonly hash: RubyHash = new RubyHash();

  static of(items: Iterable<Value>): RubySet {
    const set = new RubySet();
    for (const item of items) set.hash.set(item, true);
    return set;
  }

  get rubyClass(): RubyClass {
    return SET;
  }

  get items(): Value[] {
    return Array.from(this.hash.entries.values(), ({ key }) => key);
  }

  get size(): number {
    return this.hash.entries.size;
  }

  has(item: Value): boolean {
    return this.hash.entries.has(hashKeyOf(item));
  }

  /** Whether every item of it is in the other. */
  isWithin(other: RubySet): boolean {
    if (this.size > other.size) return false;
    return this.items.every((item) => other.has(item));
  }

  override show(): string {
    return `#<Set: {${this.items.map((item) => inspect(item, 1)).join(', ')}}>`;
  }

  override equals(other: RubyObject): boolean {
    return other instanceof RubySet && other.size === this.size && this.isWithin(other);
  }

  override hashKey(): unknown {
    return `\0s${String(this.hash.hashKey())}`;
  }
}
