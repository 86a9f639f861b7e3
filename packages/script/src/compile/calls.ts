/**
 * Calls: methods of objects and classes, functions of the script and of its context, lambdas and references.
 */

import { isShoalError } from '@shoal/core';
import type { ScriptMethod } from '../contract/script-class.ts';
import { CompileFailure, compileFailure } from '../errors/script-error.ts';
import { findConstructor, findMethod, findStatic, resolveClass, resolveType } from '../library/class-library.ts';
import { fromDef } from '../library/convert.ts';
import type { ScriptFunction, ScriptMachine } from '../machine/script-machine.ts';
import type { CallNode, ExpressionNode, LambdaNode, NodeOf } from '../syntax/painless-tree.ts';
import { boxOf, FUNCTION, isArray, isPrimitive, type ScriptType } from '../types/script-type.ts';
import { illegalArgumentException, JavaException } from '../values/java-exception.ts';
import { JavaArray } from '../values/java-map.ts';
import { boxed } from '../values/java-numbers.ts';
import { type Code, code, constant, Frame, type Run } from './code.ts';
import { coerce, toDef } from './coerce.ts';
import type { Compiler, ContextFunction, ScriptFunctionInfo } from './compiler.ts';
import { callDynamic, invoke } from './dynamic.ts';
import { methodCaller } from './inline-cache.ts';
import { checkResolved, dottedName } from './places.ts';
import { FunctionScope, Scope } from './scope.ts';

export function call(compiler: Compiler, node: CallNode, scope: Scope): Code {
  const given = (): Code[] => (node.args ?? []).map((arg) => compiler.expression(arg, scope));
  const className = classOfTarget(node.target, scope);
  if (className !== null) return staticCall(node, className, given());
  checkResolved(node.target, scope, node.at);
  const target = compiler.expression(node.target, scope);
  const args = given();
  const { at, name, isSafe } = node;
  if (target.type === 'def') {
    const runs = args.map((arg) => toDef(coerce(arg, 'def')).run);
    if (runs.length === 0) {
      const invokeFound = methodCaller(name);
      return code('def', at, (frame) => {
        const self = target.run(frame);
        if (isSafe && self === null) return null;
        frame.machine.at = at;
        return invokeFound(frame.machine, self);
      });
    }
    return code('def', at, (frame) => {
      const self = target.run(frame);
      if (isSafe && self === null) return null;
      const values = runs.map((run) => run(frame));
      frame.machine.at = at;
      return callDynamic(frame.machine, self, name, values);
    });
  }
  const type = boxOf(target.type);
  const key = `${name}/${args.length}`;
  const method = findMethod(isArray(type) ? 'java.lang.Object' : type, key);
  if (method === null) throw compileFailure(at, `member method [${type}, ${key}] not found`);
  return memberCall(toDef(target, type), method, args, node);
}

function classOfTarget(target: ExpressionNode, scope: Scope): string | null {
  const path = dottedName(target);
  if (path === null || scope.find(path.split('.')[0] ?? '') !== null) return null;
  return resolveClass(path);
}

function memberCall(target: Code, method: ScriptMethod, given: readonly Code[], { at, name, isSafe }: CallNode): Code {
  const invoked = invocation(method, given, at);
  const self = target.run;
  const missing = (): JavaException =>
    new JavaException(
      'java.lang.NullPointerException',
      `cannot access method/field [${name}] from a null def reference`,
    );
  const run: Run = (frame) => {
    const value = self(frame);
    if (value !== null) return isSafe ? boxed(invoked(frame, value), method.returns) : invoked(frame, value);
    if (isSafe) return null;
    frame.machine.at = at;
    throw missing();
  };
  return code(isSafe && isPrimitive(method.returns) ? 'def' : method.returns, at, run);
}

/** Evaluates the arguments and calls the method with them; a list of them is made only where they are many. */
function invocation(
  { parameters, invoke: run }: ScriptMethod,
  given: readonly Code[],
  at: number,
): (frame: Frame, self: unknown) => unknown {
  const args = given.map((arg, i) => coerce(arg, parameters[i] ?? 'def').run);
  const [a, b, ...others] = args;
  if (a === undefined) {
    return ({ machine }, self) => {
      machine.at = at;
      return run(machine, self);
    };
  }
  if (b === undefined) {
    return (frame, self) => {
      const first = a(frame);
      frame.machine.at = at;
      return run(frame.machine, self, first);
    };
  }
  return (frame, self) => {
    const first = a(frame);
    const second = b(frame);
    const rest = others.length === 0 ? others : others.map((one) => one(frame));
    frame.machine.at = at;
    return rest.length === 0
      ? run(frame.machine, self, first, second)
      : run(frame.machine, self, first, second, ...rest);
  };
}

function staticCall(node: CallNode, className: string, given: readonly Code[]): Code {
  const { at, name } = node;
  const key = `${name}/${given.length}`;
  const method = findStatic(className, key);
  if (method === null) throw compileFailure(at, `static method [${className}, ${key}] not found`);
  const invoked = invocation(method, given, at);
  return code(method.returns, at, (frame) => invoked(frame, null));
}

/** A function of the script, or one that its context gives. */
export function localCall(compiler: Compiler, node: NodeOf<'localCall'>, scope: Scope): Code {
  const { at, name } = node;
  const given = (node.args ?? []).map((arg) => compiler.expression(arg, scope));
  const own = compiler.functions.get(`${name}/${given.length}`);
  if (own !== undefined) {
    const args = given.map((arg, i) => coerce(arg, own.parameters[i] ?? 'def').run);
    return code(own.returns, at, (frame) => {
      const slots = args.map((run) => run(frame));
      frame.machine.at = at;
      return callScriptFunction(own, frame.machine, slots);
    });
  }
  const context = compiler.contextFunctions[name];
  if (context === undefined || !takesSoMany(context, given.length)) {
    throw compileFailure(at, `Unknown call [${name}] with [${given.length}] arguments.`);
  }
  const declared = given.map((arg, i) => coerce(arg, context.parameters[i] ?? 'def').run);
  if (context.takesConstants === true) {
    const values = given.map((arg, i) => constantOf(arg, name, i));
    return constant(context.returns, at, madeOf(context, values, at));
  }
  const args =
    context.readsDocument === true
      ? [compiler.expression({ kind: 'name', at, name: 'doc' }, scope).run, ...declared]
      : declared;
  return code(context.returns, at, (frame) => {
    const values = args.map((run) => run(frame));
    frame.machine.at = at;
    if (context.emits === true) frame.machine.emit(values);
    return context.run(...values);
  });
}

function takesSoMany({ parameters, optionalCount = 0 }: ContextFunction, count: number): boolean {
  return count <= parameters.length && count >= parameters.length - optionalCount;
}

function constantOf({ constant: known, at }: Code, name: string, index: number): unknown {
  if (known !== undefined) return known.value;
  const why = `all arguments to [${name}] must be constant but the [${index + 1}] argument isn't`;
  throw compileFailure(at, why);
}

/** What a function makes of constants. @throws CompileFailure where it makes nothing of them */
function madeOf({ run }: ContextFunction, values: readonly unknown[], at: number): unknown {
  try {
    return run(...values);
  } catch (error) {
    throw isShoalError(error) ? new CompileFailure(at, error) : error;
  }
}

/** @param slots arguments, raw where the parameters are primitive */
function callScriptFunction(info: ScriptFunctionInfo, machine: ScriptMachine, slots: unknown[]): unknown {
  machine.enter();
  while (slots.length < info.slotCount) slots.push(null);
  const result = info.run(new Frame(machine, slots));
  machine.leave();
  return result;
}

/** @param body compiles the body in a scope of its own, to what gives the boxed result */
export function lambda(node: LambdaNode, scope: Scope, body: (inner: Scope) => Run): Code {
  const fn = new FunctionScope('def', scope);
  const inner = new Scope(fn);
  const parameters = node.parameters.map(({ at, type, name }) => {
    const resolved = type === null ? 'def' : resolveType(type);
    if (resolved === null) throw compileFailure(at, `Not a type [${type}].`);
    return inner.declare(name, resolved, at);
  });
  const run = body(inner);
  const { captures } = fn;
  return code(FUNCTION, node.at, (frame) => {
    const taken = captures.map(({ from }) => frame.slots[from]);
    const made: ScriptFunction = {
      kind: 'function',
      arity: parameters.length,
      call: (machine, args) => {
        if (args.length !== parameters.length) {
          throw illegalArgumentException(
            `Incorrect number of parameters for lambda: expected [${args.length}] but has [${parameters.length}]`,
          );
        }
        machine.enter();
        const slots = new Array<unknown>(fn.slotCount).fill(null);
        for (const [i, { slot, type }] of parameters.entries()) slots[slot] = fromDef(args[i], type);
        for (const [i, { to }] of captures.entries()) slots[to] = taken[i];
        const result = run(new Frame(machine, slots));
        machine.leave();
        return result;
      },
    };
    return made;
  });
}

/** `Integer::compare`, `String::length`, `this::own`, `ArrayList::new`, `value::method`. */
export function reference(compiler: Compiler, { at, type, name }: NodeOf<'reference'>, scope: Scope): Code {
  if (type === 'this') return ownReference(compiler, name, at);
  const variable = scope.find(type);
  if (variable !== null) {
    const { slot, type: own } = variable;
    return code(FUNCTION, at, (frame) => {
      const self = boxed(frame.slots[slot], own);
      return fn((machine, args) => callDynamic(machine, self, name, args));
    });
  }
  const resolved = resolveClass(type) ?? resolveType(type);
  if (resolved === null) throw compileFailure(at, `cannot resolve symbol [${type}]`);
  const made = name === 'new' ? constructorOf(resolved, at) : methodOf(resolved, name, at);
  return code(FUNCTION, at, () => made);
}

function fn(run: ScriptFunction['call']): ScriptFunction {
  return { kind: 'function', arity: -1, call: run };
}

function ownReference(compiler: Compiler, name: string, at: number): Code {
  const known = [...compiler.functions.values()].filter((info) => info.name === name);
  if (known.length === 0) throw compileFailure(at, `function reference [this::${name}] matching no function`);
  const made = fn((machine, args) => {
    const info = known.find((one) => one.parameters.length === args.length);
    if (info === undefined) throw illegalArgumentException(`function [${name}/${args.length}] not found`);
    const slots = args.map((arg, i) => fromDef(arg, info.parameters[i] as ScriptType));
    return boxed(callScriptFunction(info, machine, slots), info.returns);
  });
  return code(FUNCTION, at, () => made);
}

function constructorOf(type: ScriptType, at: number): ScriptFunction {
  if (isArray(type)) {
    const element = type.slice(0, -2);
    return fn((machine, [length]) => {
      const count = fromDef(length, 'int') as number;
      machine.grow(count);
      return new JavaArray(element, new Array<unknown>(count).fill(isPrimitive(element) ? 0 : null));
    });
  }
  const ARITIES = [0, 1, 2];
  if (ARITIES.every((arity) => findConstructor(type, arity) === null)) {
    throw compileFailure(at, `constructor [${type}, <init>] not found`);
  }
  return fn((machine, args) => {
    const method = findConstructor(type, args.length);
    if (method === null) throw illegalArgumentException(`constructor [${type}, <init>/${args.length}] not found`);
    return invoke(method, machine, null, args);
  });
}

const PARAMETERS_MAX = 3;

function methodOf(type: ScriptType, name: string, at: number): ScriptFunction {
  let isKnown = false;
  for (let arity = 0; arity <= PARAMETERS_MAX; arity++) {
    isKnown ||= findStatic(type, `${name}/${arity}`) !== null || findMethod(type, `${name}/${arity}`) !== null;
  }
  if (!isKnown) throw compileFailure(at, `function reference [${type}::${name}] matching no method`);
  return fn((machine, args) => {
    const own = findStatic(type, `${name}/${args.length}`);
    if (own !== null) return invoke(own, machine, null, args);
    const [self = null, ...rest] = args;
    return callDynamic(machine, self, name, rest);
  });
}
