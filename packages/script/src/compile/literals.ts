/**
 * Literals and what makes new objects.
 */
import { compileFailure } from '../errors/script-error.ts';
import { findConstructor, resolveClass, resolveType } from '../library/class-library.ts';
import type { NodeOf, NumberNode } from '../syntax/painless-tree.ts';
import { elementType, isArray, isNumeric, type ScriptType } from '../types/script-type.ts';
import { JavaException } from '../values/java-exception.ts';
import { JavaArray, JavaMap } from '../values/java-map.ts';
import { JavaPattern } from '../values/java-pattern.ts';
import { type Code, code, constant } from './code.ts';
import { coerce, toDef } from './coerce.ts';
import type { Compiler } from './compiler.ts';
import type { Scope } from './scope.ts';

const INT_BITS = 32;
const LONG_BITS = 64;

export function number({ at, text, suffix, radix }: NumberNode): Code {
  // Letters of a type are looked for before the base is: what ends in the digit D or F is no number to painless.
  if (radix === 16 && suffix === '' && /[dDfF]$/.test(text))
    throw compileFailure(at, 'Illegal tree structure.', 'illegal_state_exception');
  if (suffix === 'd' || suffix === 'f') return decimal(at, text, suffix);
  const isNegative = text.startsWith('-');
  const digits = isNegative ? text.slice(1) : text;
  const size = BigInt(radix === 8 ? `0o${digits.slice(1)}` : digits);
  const bits = suffix === 'l' ? LONG_BITS : INT_BITS;
  const value = isNegative ? -size : size;
  // Hexadecimal and octal numbers may name the sign bit.
  const fits = BigInt.asIntN(bits, value) === value || (radix !== 10 && BigInt.asUintN(bits, value) === value);
  if (!fits) {
    const kind = suffix === 'l' ? 'long' : 'int';
    const hint =
      suffix !== 'l' && BigInt.asIntN(LONG_BITS, value) === value
        ? ` If you want a long constant then change it to [${text}L].`
        : '';
    throw compileFailure(at, `Invalid ${kind} constant [${text}].${hint}`);
  }
  const kept = BigInt.asIntN(bits, value);
  return suffix === 'l' ? constant('long', at, kept) : constant('int', at, Number(kept));
}

function decimal(at: number, text: string, suffix: 'd' | 'f'): Code {
  const value = Number(text);
  const kept = suffix === 'f' ? Math.fround(value) : value;
  if (!Number.isFinite(kept)) {
    throw compileFailure(at, `Invalid ${suffix === 'f' ? 'float' : 'double'} constant [${text}].`);
  }
  return constant(suffix === 'f' ? 'float' : 'double', at, kept);
}

export function regex({ at, pattern, flags }: NodeOf<'regex'>): Code {
  try {
    return constant('java.util.regex.Pattern', at, new JavaPattern(pattern.replaceAll('\\/', '/'), flags));
  } catch (error) {
    if (!(error instanceof JavaException)) throw error;
    throw compileFailure(at, error.text ?? '', error.snakeName);
  }
}

export function list(compiler: Compiler, node: NodeOf<'list'>, scope: Scope): Code {
  const items = node.items.map((item) => toDef(checked(compiler.expression(item, scope))).run);
  return code('java.util.ArrayList', node.at, (frame) => {
    frame.machine.grow(items.length);
    return items.map((run) => run(frame));
  });
}

function checked(value: Code): Code {
  return value.type === 'void' || value.className !== undefined ? coerce(value, 'def') : value;
}

export function map(compiler: Compiler, node: NodeOf<'map'>, scope: Scope): Code {
  const entries = node.entries.map(({ key, value }) => ({
    key: toDef(checked(compiler.expression(key, scope))).run,
    value: toDef(checked(compiler.expression(value, scope))).run,
  }));
  return code('java.util.HashMap', node.at, (frame) => {
    frame.machine.grow(entries.length);
    const made = new JavaMap();
    for (const { key, value } of entries) made.set(key(frame), value(frame));
    return made;
  });
}

function initialItem(type: ScriptType): unknown {
  if (type === 'boolean') return false;
  if (type === 'long') return 0n;
  return isNumeric(type) ? 0 : null;
}

export function newArray(compiler: Compiler, node: NodeOf<'newArray'>, scope: Scope): Code {
  const type = resolveType(node.type);
  if (type === null || !isArray(type)) throw compileFailure(node.at, `Not a type [${node.type}].`);
  const element = elementType(type);
  if (node.items !== null) {
    const items = node.items.map((item) => coerce(compiler.expression(item, scope), element).run);
    return code(type, node.at, (frame) => {
      frame.machine.grow(items.length);
      return new JavaArray(
        element,
        items.map((run) => run(frame)),
      );
    });
  }
  const sizes = node.sizes.map((size) => coerce(compiler.expression(size, scope), 'int').run);
  return code(type, node.at, (frame) => {
    frame.machine.at = node.at;
    const lengths = sizes.map((run) => run(frame) as number);
    let count = 1;
    for (const length of lengths) {
      if (length < 0) throw new JavaException('java.lang.NegativeArraySizeException', String(length));
      count *= length;
    }
    frame.machine.grow(count);
    return filled(type, lengths);
  });
}

function filled(type: ScriptType, [length = 0, ...inner]: readonly number[]): JavaArray {
  const element = elementType(type);
  const make = inner.length === 0 ? () => initialItem(element) : () => filled(element, inner);
  return new JavaArray(element, Array.from({ length }, make));
}

export function newObject(compiler: Compiler, node: NodeOf<'new'>, scope: Scope): Code {
  const type = resolveClass(node.type);
  if (type === null) throw compileFailure(node.at, `Not a type [${node.type}].`);
  const given = (node.args ?? []).map((arg) => compiler.expression(arg, scope));
  const method = findConstructor(type, given.length);
  if (method === null) {
    throw compileFailure(node.at, `constructor [${type}, <init>/${given.length}] not found`);
  }
  const args = given.map((arg, i) => coerce(arg, method.parameters[i] ?? 'def').run);
  return code(type, node.at, (frame) => {
    const values = args.map((run) => run(frame));
    frame.machine.at = node.at;
    frame.machine.grow(1);
    return method.invoke(frame.machine, null, ...values);
  });
}
