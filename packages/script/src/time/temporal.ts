/**
 * What all dates and times of `java.time` have: fields that are read and set, units that are added, and the way to another one.
 */
import { ScriptObject } from '../values/script-object.ts';
import type { JavaField, JavaRange } from './temporal-field.ts';
import type { JavaUnit } from './temporal-unit.ts';
import { unsupported, unsupportedType } from './time-errors.ts';
import type { JavaZone } from './time-zones.ts';

export abstract class JavaTemporal extends ScriptObject {
  abstract supports(field: JavaField): boolean;
  abstract supportsUnit(unit: JavaUnit): boolean;
  /** Value of a field that it supports. */
  protected abstract read(field: JavaField): number;
  /** The same with another value of a field that it supports, which the field may have. */
  protected abstract written(field: JavaField, value: number): JavaTemporal;
  /** So many of a unit that it supports later. */
  protected abstract added(count: bigint, unit: JavaUnit): JavaTemporal;
  /** Whole units, of those that it supports, until another one of its class. */
  protected abstract distance(end: this, unit: JavaUnit): bigint;
  /** One of its class that is the same as another. @throws JavaException where the other one does not tell */
  protected abstract likeThis(other: JavaTemporal): this;

  /** Days since 1970; null without a date. */
  abstract readonly epochDay: number | null;
  /** Nanoseconds since midnight; null without a time. */
  abstract readonly nanoOfDay: number | null;

  /** Name of its class in texts of exceptions. */
  get typeName(): string {
    return this.javaClass;
  }

  /** null: it has none. */
  readonly zone: JavaZone | null = null;

  /** Seconds east of UTC; null without an offset. */
  get offsetSeconds(): number | null {
    return null;
  }

  /** Seconds since 1970 with nanoseconds of the second; null: of no known place. */
  get instant(): readonly [seconds: number, nano: number] | null {
    return null;
  }

  /** @throws JavaException for a field that it has not */
  get(field: JavaField): number {
    if (!this.supports(field)) throw unsupported('field', field.label);
    return this.read(field);
  }

  /** `get` of Java, which is of ints alone. */
  getInt(field: JavaField): number {
    if (this.supports(field) && !field.range.isInt) {
      throw unsupportedType(`Invalid field '${field.label}' for get() method, use getLong() instead`);
    }
    return this.get(field);
  }

  with(field: JavaField, value: number): JavaTemporal {
    if (!this.supports(field)) throw unsupported('field', field.label);
    return this.written(field, field.checked(value, field.rule === null ? field.range : this.range(field)));
  }

  plus(count: bigint, unit: JavaUnit): this {
    if (!this.supportsUnit(unit)) throw unsupported('unit', unit.label);
    return this.added(count, unit) as this;
  }

  until(other: JavaTemporal, unit: JavaUnit): bigint {
    const end = this.likeThis(other);
    if (!this.supportsUnit(unit)) throw unsupported('unit', unit.label);
    return this.distance(end, unit);
  }

  range(field: JavaField): JavaRange {
    if (!this.supports(field)) throw unsupported('field', field.label);
    return field.rule?.range?.(this.epochDay ?? 0) ?? field.range;
  }
}
