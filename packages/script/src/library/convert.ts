/**
 * Boxed values as values of a declared type, where the type is only known when the script runs.
 */
import { boxOf, isArray, isPrimitive, unboxed, widens } from '../types/script-type.ts';
import { classCast, nullPointer } from '../values/java-exception.ts';
import { JavaArray } from '../values/java-map.ts';
import { boxed, convertNumber, JavaCharacter, type NumberType, numberType, rawNumber } from '../values/java-numbers.ts';
import { classOf } from '../values/java-text.ts';
import { isKindOf } from './class-library.ts';

/** Class of a value as casts name it: that of a number is its primitive. */
function shownClass(value: unknown): string {
  return value === null ? 'null' : unboxed(classOf(value));
}

function refusedCast(value: unknown, type: string, isExplicit: boolean): Error {
  return classCast(`cannot ${isExplicit ? 'explicitly' : 'implicitly'} cast def [${shownClass(value)}] to ${type}`);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'function';
}

/** True for an object of the type, which is no primitive; null is of none. */
export function isInstance(value: unknown, type: string): boolean {
  if (value === null) return false;
  if (type === 'def' || type === 'java.lang.Object') return true;
  if (type === 'lambda') return isFunction(value);
  if (isArray(type)) return value instanceof JavaArray && (value.type === type.slice(0, -2) || type === 'def[]');
  return isKindOf(classOf(value), boxOf(type));
}

/**
 * @param isExplicit a cast that is written: numbers may lose what does not fit
 * @returns raw for a primitive, else boxed
 * @throws JavaException `ClassCastException`, or `NullPointerException` for a primitive of null
 */
export function fromDef(value: unknown, type: string, isExplicit = false): unknown {
  if (type === 'def' || type === 'java.lang.Object') return value;
  if (!isPrimitive(type)) {
    if (value === null || isInstance(value, type)) return value;
    const primitive = unboxed(type);
    // A smaller number may become an object of a larger one: an int a Long.
    if (primitive !== type && numberType(value) !== null)
      return boxed(fromDef(value, primitive, isExplicit), primitive);
    if (type === 'java.lang.String' && isExplicit && value instanceof JavaCharacter) {
      return String.fromCharCode(value.value);
    }
    throw refusedCast(value, type, isExplicit);
  }
  if (value === null) throw nullPointer();
  if (type === 'boolean') {
    if (typeof value === 'boolean') return value;
    throw refusedCast(value, type, isExplicit);
  }
  const from = numberType(value);
  if (from === null) {
    if (type === 'char' && isExplicit && typeof value === 'string' && value.length === 1) return value.charCodeAt(0);
    throw refusedCast(value, type, isExplicit);
  }
  if (from === type) return rawNumber(value);
  if (!isExplicit && !widens(from, type)) throw refusedCast(value, type, isExplicit);
  return convertNumber(rawNumber(value), type as NumberType);
}
