/**
 * Expressions to code: what each kind of node becomes.
 */
import { compileFailure } from '../errors/script-error.ts';
import { resolveType } from '../library/class-library.ts';
import type { ExpressionNode, LambdaNode, NodeOf } from '../syntax/painless-tree.ts';
import { isPrimitive, promoted, STRING, unboxed } from '../types/script-type.ts';
import { call, lambda, localCall, reference } from './calls.ts';
import { type Code, code, constant, type Run } from './code.ts';
import { coerce, condition, NULL_TYPE, toDef } from './coerce.ts';
import type { Compiler } from './compiler.ts';
import { list, map, newArray, newObject, number, regex } from './literals.ts';
import { binary, instanceOf, unary } from './operators.ts';
import { assign, field, index, name, step } from './places.ts';
import type { Scope } from './scope.ts';

/** Compiles the body of a lambda, which is made of statements. */
export type BodyCompiler = (node: LambdaNode, scope: Scope) => Run;

export function compileExpression(compiler: Compiler, node: ExpressionNode, scope: Scope, body: BodyCompiler): Code {
  switch (node.kind) {
    case 'number':
      return number(node);
    case 'string':
      return constant(STRING, node.at, node.value);
    case 'boolean':
      return constant('boolean', node.at, node.value);
    case 'null':
      return constant(NULL_TYPE, node.at, null);
    case 'regex':
      return regex(node);
    case 'list':
      return list(compiler, node, scope);
    case 'map':
      return map(compiler, node, scope);
    case 'new':
      return newObject(compiler, node, scope);
    case 'newArray':
      return newArray(compiler, node, scope);
    case 'name':
      return name(node, scope);
    case 'field':
      return field(compiler, node, scope);
    case 'index':
      return index(compiler, node, scope);
    case 'call':
      return call(compiler, node, scope);
    case 'localCall':
      return localCall(compiler, node, scope);
    case 'lambda':
      return lambda(node, scope, (inner) => body(node, inner));
    case 'reference':
      return reference(compiler, node, scope);
    case 'assign':
      return assign(compiler, node, scope);
    case 'step':
      return step(compiler, node, scope);
    case 'binary':
      return binary(compiler, node, scope);
    case 'unary':
      return unary(compiler, node, scope);
    case 'instanceof':
      return instanceOf(compiler, node, scope);
    case 'cast':
      return cast(compiler, node, scope);
    case 'elvis':
      return elvis(compiler, node, scope);
    case 'ternary':
      return ternary(compiler, node, scope);
  }
}

function cast(compiler: Compiler, node: NodeOf<'cast'>, scope: Scope): Code {
  const type = resolveType(node.type);
  if (type === null || type === 'void') throw compileFailure(node.at, `Not a type [${node.type}].`);
  return { ...coerce(compiler.expression(node.value, scope), type, true), at: node.at };
}

function elvis(compiler: Compiler, node: NodeOf<'elvis'>, scope: Scope): Code {
  const left = compiler.expression(node.left, scope);
  const right = compiler.expression(node.right, scope);
  if (isPrimitive(left.type)) {
    throw compileFailure(node.at, 'Extraneous elvis operator. LHS is a primitive.');
  }
  if (left.constant !== undefined) {
    throw compileFailure(
      node.at,
      `Extraneous elvis operator. LHS is ${left.type === NULL_TYPE ? 'null' : 'a constant'}.`,
    );
  }
  const a = left.run;
  if (right.type === left.type) {
    const b = right.run;
    return code(left.type, node.at, (frame) => a(frame) ?? b(frame));
  }
  const b = toDef(coerce(right, 'def')).run;
  return code('def', node.at, (frame) => a(frame) ?? b(frame));
}

function ternary(compiler: Compiler, node: NodeOf<'ternary'>, scope: Scope): Code {
  const test = condition(compiler.expression(node.test, scope));
  const then = compiler.expression(node.then, scope);
  const otherwise = compiler.expression(node.otherwise, scope);
  const type = commonType(then, otherwise);
  const a = coerce(then, type).run;
  const b = coerce(otherwise, type).run;
  return code(type, node.at, (frame) => (test(frame) === true ? a(frame) : b(frame)));
}

function commonType(left: Code, right: Code): string {
  if (left.type === right.type) return left.type === NULL_TYPE ? 'def' : left.type;
  if (isPrimitive(left.type) && isPrimitive(right.type)) {
    const type = promoted(unboxed(left.type), unboxed(right.type));
    if (type !== null) return type;
  }
  return 'def';
}
