/**
 * Operators of expressions: arithmetic, comparisons, joined text, logic.
 */
import { compileFailure } from '../errors/script-error.ts';
import { resolveType } from '../library/class-library.ts';
import { isInstance } from '../library/convert.ts';
import type { BinaryNode, NodeOf } from '../syntax/painless-tree.ts';
import { boxOf, isNumeric, isPrimitive, promoted, type ScriptType, STRING, unboxed } from '../types/script-type.ts';
import {
  applyUnary,
  boxedOperation,
  compareBoxed,
  compared,
  operation,
  shift,
  unaryRaw,
} from '../values/arithmetic.ts';
import { equalValues } from '../values/equality.ts';
import { JavaException } from '../values/java-exception.ts';
import { boxed } from '../values/java-numbers.ts';
import type { JavaPattern } from '../values/java-pattern.ts';
import { textOf } from '../values/java-text.ts';
import { type Code, code, constant } from './code.ts';
import { coerce, condition, toDef } from './coerce.ts';
import type { Compiler } from './compiler.ts';
import type { Scope } from './scope.ts';

const COMPARISON_NAMES: Readonly<Record<string, string>> = {
  '<': 'less than',
  '<=': 'less than or equals',
  '>': 'greater than',
  '>=': 'greater than or equals',
};

export function binary(compiler: Compiler, node: BinaryNode, scope: Scope): Code {
  const left = compiler.expression(node.left, scope);
  const right = compiler.expression(node.right, scope);
  const { op, at } = node;
  switch (op) {
    case '&&':
    case '||': {
      const a = condition(left);
      const b = condition(right);
      return code('boolean', at, op === '&&' ? (frame) => a(frame) && b(frame) : (frame) => a(frame) || b(frame));
    }
    case '==':
    case '!=':
    case '===':
    case '!==':
      return equality(op, at, left, right);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(op, at, left, right);
    case '=~':
    case '==~':
      return matching(op, at, left, right);
    default:
      return arithmetic(op, at, left, right);
  }
}

/** `left op right` of arithmetic, bits, shifts and text. */
export function arithmetic(op: string, at: number, left: Code, right: Code): Code {
  if (left.type === 'void' || right.type === 'void') throw refusedOperands(op, at, left, right);
  if (op === '+' && (left.type === STRING || right.type === STRING)) return concatenation(at, left, right);
  if (left.type === 'def' || right.type === 'def') return dynamic(op, at, left, right);
  const [leftType, rightType] = [unboxed(left.type), unboxed(right.type)];
  if (leftType === 'boolean' && rightType === 'boolean' && '&|^'.includes(op))
    return dynamic(op, at, left, right, 'boolean');
  if (op === '<<' || op === '>>' || op === '>>>') return shifting(op, at, left, right);
  const type = promoted(leftType, rightType);
  const run = type === null ? null : operation(op, type);
  if (type === null || run === null) {
    checkNumbers(left, right);
    throw refusedOperands(op, at, left, right);
  }
  const known = folded(type, at, run, [coerce(left, type), coerce(right, type)]);
  if (known !== null) return known;
  const a = coerce(left, type).run;
  const b = coerce(right, type).run;
  if (type === 'double') return double(op, at, a as (frame: never) => number, b as (frame: never) => number) ?? typed();
  return typed();

  function typed(): Code {
    return code(type as string, at, (frame) => {
      frame.machine.at = at;
      const x = a(frame);
      const y = b(frame);
      return (run as (a: unknown, b: unknown) => unknown)(x, y);
    });
  }
}

/** A side that is no number beside one that is, is told as the cast that it would need. @throws CompileFailure for it */
function checkNumbers(left: Code, right: Code): void {
  const [leftType, rightType] = [unboxed(left.type), unboxed(right.type)];
  const other = isNumeric(leftType) ? leftType : isNumeric(rightType) ? rightType : 'int';
  if (!isNumeric(leftType)) coerce(left, other);
  if (!isNumeric(rightType)) coerce(right, other);
}

/**
 * Arithmetic of two literals, done now; null where a side is none.
 *
 * @throws CompileFailure `arithmetic_exception` for a division of integers by zero
 */
function folded(
  type: ScriptType,
  at: number,
  run: (a: never, b: never) => unknown,
  [left, right]: readonly [Code, Code],
): Code | null {
  if (left.constant?.isLiteral !== true || right.constant?.isLiteral !== true) return null;
  try {
    return constant(type, at, run(left.constant.value as never, right.constant.value as never));
  } catch (error) {
    if (!(error instanceof JavaException)) throw error;
    throw compileFailure(at, error.text ?? '', error.snakeName);
  }
}

/** The operations on doubles that scores are made of, without a call between. */
function double(op: string, at: number, a: (frame: never) => number, b: (frame: never) => number): Code | null {
  switch (op) {
    case '+':
      return code('double', at, (frame) => a(frame as never) + b(frame as never));
    case '-':
      return code('double', at, (frame) => a(frame as never) - b(frame as never));
    case '*':
      return code('double', at, (frame) => a(frame as never) * b(frame as never));
    case '/':
      return code('double', at, (frame) => a(frame as never) / b(frame as never));
    default:
      return null;
  }
}

function refusedOperands(op: string, at: number, left: Code, right: Code): Error {
  return compileFailure(
    at,
    `Cannot apply [${op}] operation to types [${left.type}] and [${right.type}].`,
    'class_cast_exception',
  );
}

function dynamic(op: string, at: number, left: Code, right: Code, type: ScriptType = 'def'): Code {
  const a = toDef(left).run;
  const b = toDef(right).run;
  const apply = boxedOperation(op);
  return code(type, at, (frame) => {
    frame.machine.at = at;
    const x = a(frame);
    const y = b(frame);
    const result = apply(x, y);
    if (typeof result === 'string') frame.machine.grow(result.length);
    return result;
  });
}

function concatenation(at: number, left: Code, right: Code): Code {
  const a = toDef(left).run;
  const b = toDef(right).run;
  return code(STRING, at, (frame) => {
    const text = textOf(a(frame)) + textOf(b(frame));
    frame.machine.grow(text.length);
    return text;
  });
}

function shifting(op: string, at: number, left: Code, right: Code): Code {
  const type = promoted(unboxed(left.type), 'int');
  const by = promoted(unboxed(right.type), 'int');
  if ((type !== 'int' && type !== 'long') || (by !== 'int' && by !== 'long'))
    throw refusedOperands(op, at, left, right);
  const known = folded(type, at, (x, y) => shift(op, type, x, y), [coerce(left, type), coerce(right, 'int', true)]);
  if (known !== null) return known;
  const a = coerce(left, type).run;
  const b = coerce(right, 'int', true).run;
  return code(type, at, (frame) => shift(op, type, a(frame) as number | bigint, b(frame) as number));
}

function equality(op: string, at: number, left: Code, right: Code): Code {
  const isNegated = op.startsWith('!');
  const type = isPrimitive(left.type) && isPrimitive(right.type) ? promoted(left.type, right.type) : null;
  if (type !== null) {
    const a = coerce(left, type).run;
    const b = coerce(right, type).run;
    return code('boolean', at, (frame) => (a(frame) === b(frame)) !== isNegated);
  }
  if ((left.type === 'boolean') !== (right.type === 'boolean') && isPrimitive(left.type) && isPrimitive(right.type)) {
    coerce(right, left.type);
  }
  const a = toDef(left).run;
  const b = toDef(right).run;
  if (op.length === 3) return code('boolean', at, (frame) => (a(frame) === b(frame)) !== isNegated);
  return code('boolean', at, (frame) => equalValues(a(frame), b(frame)) !== isNegated);
}

function comparison(op: string, at: number, left: Code, right: Code): Code {
  if (left.type === 'def' || right.type === 'def') {
    const a = toDef(left).run;
    const b = toDef(right).run;
    return code('boolean', at, (frame) => {
      frame.machine.at = at;
      const x = a(frame);
      const y = b(frame);
      return compareBoxed(op, x, y);
    });
  }
  const type = promoted(unboxed(left.type), unboxed(right.type));
  if (type === null) {
    if (isNumeric(unboxed(left.type)) || isNumeric(unboxed(right.type))) checkNumbers(left, right);
    throw compileFailure(
      at,
      `cannot apply the ${COMPARISON_NAMES[op]} operator [${op}] to the types [${left.type}] and [${right.type}]`,
      'class_cast_exception',
    );
  }
  const a = coerce(left, type).run;
  const b = coerce(right, type).run;
  return code('boolean', at, (frame) => compared(op, a(frame) as number, b(frame) as number));
}

function matching(op: string, at: number, left: Code, right: Code): Code {
  const a = toDef(left).run;
  const b = coerce(right, 'java.util.regex.Pattern').run;
  return code('boolean', at, (frame) => {
    const text = textOf(a(frame));
    const pattern = b(frame) as JavaPattern;
    frame.machine.at = at;
    return (op === '=~' ? pattern.find(text, 0) : pattern.matches(text)) !== null;
  });
}

export function unary(compiler: Compiler, node: NodeOf<'unary'>, scope: Scope): Code {
  const value = compiler.expression(node.value, scope);
  const { op, at } = node;
  if (op === '!') {
    const test = condition(value);
    return code('boolean', at, (frame) => !test(frame));
  }
  if (value.type === 'def') {
    const { run } = value;
    return code('def', at, (frame) => {
      const x = run(frame);
      frame.machine.at = at;
      return applyUnary(op, x);
    });
  }
  const type = promoted(unboxed(value.type), 'int');
  if (type === null || (op === '~' && (type === 'double' || type === 'float'))) {
    throw compileFailure(at, `Cannot apply [${op}] operator to the type [${value.type}].`, 'class_cast_exception');
  }
  const given = coerce(value, type);
  if (given.constant?.isLiteral === true)
    return constant(type, at, unaryRaw(op, type, given.constant.value as number | bigint));
  const { run } = given;
  return code(type, at, (frame) => unaryRaw(op, type, run(frame) as number | bigint));
}

export function instanceOf(compiler: Compiler, node: NodeOf<'instanceof'>, scope: Scope): Code {
  const type = resolveType(node.type);
  if (type === null) throw compileFailure(node.at, `Not a type [${node.type}].`);
  const { run, type: own } = compiler.expression(node.value, scope);
  return code('boolean', node.at, (frame) => isInstance(boxed(run(frame), own), boxOf(type)));
}
