/**
 * Casts, implicit and written: what may become what, and how.
 */
import { compileFailure } from '../errors/script-error.ts';
import { isKindOf } from '../library/class-library.ts';
import { fromDef } from '../library/convert.ts';
import {
  boxOf,
  FUNCTION,
  isArray,
  isNumeric,
  isPrimitive,
  OBJECT,
  type ScriptType,
  STRING,
  unboxed,
  widens,
} from '../types/script-type.ts';
import { boxed, convertNumber, type NumberType } from '../values/java-numbers.ts';
import { type Code, code, constant, type Frame, type Run } from './code.ts';

export const NULL_TYPE = 'null';

function mapped(from: Code, type: ScriptType, change: (value: unknown) => unknown): Code {
  const { at, run } = from;
  if (from.constant !== undefined) return constant(type, at, change(from.constant.value), from.constant.isLiteral);
  return code(type, at, (frame) => change(run(frame)));
}

/** The value as an object that knows its type. */
export function toDef(from: Code, type: ScriptType = 'def'): Code {
  if (from.type === type) return from;
  const own = from.type;
  if (own === 'int' || own === 'float' || own === 'char' || own === 'byte' || own === 'short') {
    return mapped(from, type, (value) => boxed(value, own));
  }
  return { ...from, type };
}

/** True where a value of the one type is, without any change, one of the other. */
function isAssignable(from: ScriptType, to: ScriptType): boolean {
  if (from === to || to === OBJECT) return true;
  if (from === NULL_TYPE) return true;
  if (isArray(to)) return isArray(from) && (to === 'def[]' || to === 'java.lang.Object[]');
  if (to === FUNCTION) return false;
  return isKindOf(from, to);
}

/**
 * The value as one of another type.
 *
 * @param isExplicit a cast that is written
 * @throws CompileFailure `class_cast_exception` where that cannot be
 */
export function coerce(from: Code, to: ScriptType, isExplicit = false): Code {
  if (from.className !== undefined)
    throw compileFailure(from.at, `not a statement: type [${from.className}] cannot be used as a value`);
  const own = from.type;
  if (own === to) return from;
  if (own === 'void') throw refused(from, to);
  if (to === 'void') return from;
  if (own === NULL_TYPE) {
    if (isPrimitive(to))
      throw compileFailure(from.at, `Cannot cast null to a primitive type [${to}].`, 'class_cast_exception');
    return { ...from, type: to };
  }
  if (to === 'def') return toDef(from);
  if (own === 'def') return fromDynamic(from, to, isExplicit);
  if (isPrimitive(own)) return fromPrimitive(from, to, isExplicit);
  if (isPrimitive(to)) return unboxing(from, to, isExplicit);
  if (isAssignable(own, to)) return { ...from, type: to };
  // Down to a class of which it may be: only when somebody says so.
  if (isExplicit && (own === OBJECT || isAssignable(to, own) || own === FUNCTION)) return fromDynamic(from, to, true);
  throw refused(from, to);
}

function fromDynamic(from: Code, to: ScriptType, isExplicit: boolean): Code {
  const { at, run } = from;
  const other = (frame: Frame, value: unknown): unknown => {
    frame.machine.at = at;
    return fromDef(value, to, isExplicit);
  };
  // What most values are already needs no look at its class: a double is a number boxed and raw.
  switch (to) {
    case 'double':
      return code(to, at, (frame) => {
        const value = run(frame);
        return typeof value === 'number' ? value : other(frame, value);
      });
    case 'boolean':
      return code(to, at, (frame) => {
        const value = run(frame);
        return typeof value === 'boolean' ? value : other(frame, value);
      });
    default:
      return code(to, at, (frame) => other(frame, run(frame)));
  }
}

function fromPrimitive(from: Code, to: ScriptType, isExplicit: boolean): Code {
  const own = from.type;
  if (isNumeric(own) && isNumeric(to)) {
    if (!isExplicit && !widens(own, to)) throw refused(from, to);
    return converting(from, to as NumberType);
  }
  if (isPrimitive(to)) throw refused(from, to);
  if (isAssignable(boxOf(own), to)) return toDef(from, to);
  const primitive = unboxed(to);
  if (isNumeric(own) && isNumeric(primitive) && (isExplicit || widens(own, primitive))) {
    return toDef(converting(from, primitive as NumberType), to);
  }
  if (own === 'char' && to === STRING && isExplicit)
    return mapped(from, STRING, (value) => String.fromCharCode(value as number));
  throw refused(from, to);
}

/** Raw numbers of these types look alike. */
function looksAlike(from: ScriptType, to: ScriptType): boolean {
  return from !== 'long' && (to === 'double' || (to === 'int' && from !== 'double' && from !== 'float'));
}

function converting(from: Code, to: NumberType): Code {
  if (looksAlike(from.type, to)) return { ...from, type: to };
  if (to === 'double') return mapped(from, to, Number);
  return mapped(from, to, (value) => convertNumber(value as number | bigint, to));
}

function unboxing(from: Code, to: ScriptType, isExplicit: boolean): Code {
  const primitive = unboxed(from.type);
  const isNumber = isNumeric(primitive) && isNumeric(to);
  if (from.type === STRING && to === 'char' && isExplicit) return fromDynamic(from, to, true);
  const isUnknown = from.type === OBJECT || from.type === 'java.lang.Number';
  const mayBe = primitive === to || (isNumber && (isExplicit || widens(primitive, to))) || (isExplicit && isUnknown);
  if (!mayBe) throw refused(from, to);
  return fromDynamic(from, to, isExplicit);
}

function refused(from: Code, to: ScriptType): Error {
  return compileFailure(from.at, `Cannot cast from [${from.type}] to [${to}].`, 'class_cast_exception');
}

/** A condition, as a function that gives a boolean. */
export function condition(from: Code): Run {
  return coerce(from, 'boolean').run;
}
