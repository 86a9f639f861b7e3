/**
 * Calls of methods, with their arguments and blocks.
 */

import { blockOf } from '../arguments/arguments.ts';
import { GLOBAL_FUNCTIONS, knowsLibrary } from '../library/global-functions.ts';
import type { NodeOf, RubyNode } from '../syntax/ruby-tree.ts';
import { compare } from '../values/equality.ts';
import { exception } from '../values/ruby-exception.ts';
import { RubyMatch, RubyRegexp } from '../values/ruby-regexp.ts';
import { isInteger, type Method, type RubyProc, RubySymbol, type Value } from '../values/ruby-value.ts';
import { compileBlock, lambda } from './blocks.ts';
import { type Compiler, refused, type Scope } from './compiler.ts';
import { BlockBreak, type Frame, type Run } from './frame.ts';
import { array, readPlace, storeInto } from './variables.ts';

export function call(compiler: Compiler, node: NodeOf<'call'>, scope: Scope): Run {
  if (node.receiver === null) return functionCall(compiler, node, scope);
  if (!compiler.knowsMethod(node.name)) throw refused(compiler, node, `the method "${node.name}"`);
  const captures = namedCaptures(compiler, node, scope);
  if (captures !== null) return captures;
  const fast = fastOperator(compiler, node, scope);
  if (fast !== null) return fast;
  const receiver = compiler.compile(node.receiver, scope);
  const { machine } = compiler;
  const { name, isSafe } = node;
  return withBlock(compiler, node, scope, (frame, args, block) => {
    const object = receiver(frame);
    if (isSafe && object === null) return null;
    return machine.call(object, name, args(frame), block());
  });
}

type Invoke = (frame: Frame, args: (frame: Frame) => readonly Value[], block: () => RubyProc | null) => Value;

/** Arguments and block are made after the receiver. */
function withBlock(compiler: Compiler, node: NodeOf<'call'>, scope: Scope, invoke: Invoke): Run {
  const args = array(compiler, node.args, scope);
  const passed = node.args.find((arg) => arg.kind === 'blockPass');
  if (passed !== undefined && passed.kind === 'blockPass') {
    const value = compiler.compile(passed.value, scope);
    return (frame) => invoke(frame, args, () => blockGiven(compiler, value(frame)));
  }
  if (node.block === null) return (frame) => invoke(frame, args, noBlock);
  const block = compileBlock(compiler, node.block, scope);
  if (!block.hasBreak) return (frame) => invoke(frame, args, () => block.make(frame, null));
  return (frame) => {
    const tag = {};
    try {
      return invoke(frame, args, () => block.make(frame, tag));
    } catch (signal) {
      if (signal instanceof BlockBreak && signal.tag === tag) return signal.value;
      throw signal;
    }
  };
}

const noBlock = (): null => null;

function blockGiven(compiler: Compiler, value: Value): RubyProc | null {
  const { machine } = compiler;
  if (value instanceof RubySymbol && !compiler.knowsMethod(value.name)) {
    throw exception('NoMethodError', `undefined method \`${value.name}'`);
  }
  return blockOf(machine, value);
}

/** The usual operators on small numbers, without a call. */
function fastOperator(compiler: Compiler, node: NodeOf<'call'>, scope: Scope): Run | null {
  const [arg] = node.args;
  const operation = FAST[node.name];
  if (operation === undefined || arg === undefined || node.receiver === null || node.args.length !== 1) return null;
  if (arg.kind === 'splat' || arg.kind === 'pair' || node.isSafe) return null;
  const left = compiler.compile(node.receiver, scope);
  const right = compiler.compile(arg, scope);
  const { machine } = compiler;
  const { name } = node;
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (typeof a === 'number' && typeof b === 'number' && Number.isInteger(a) && Number.isInteger(b)) {
      const result = operation(a, b);
      if (typeof result === 'boolean' || Number.isSafeInteger(result)) return result;
    }
    return machine.call(a, name, [b]);
  };
}

const FAST: Readonly<Record<string, (a: number, b: number) => number | boolean>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};

/** `/(?<name>…)/ =~ text` sets a variable for each name. */
function namedCaptures(compiler: Compiler, node: NodeOf<'call'>, scope: Scope): Run | null {
  const { receiver, name, args } = node;
  const [text] = args;
  if (name !== '=~' || receiver?.kind !== 'regex' || text === undefined) return null;
  if (!receiver.parts.every((part) => typeof part === 'string')) return null;
  const names = new RubyRegexp(receiver.parts.join(''), receiver.flags).names;
  const pattern = compiler.compile(receiver, scope);
  const subject = compiler.compile(text, scope);
  const stores = names.map((one) => ({
    name: one,
    store: storeInto(compiler, { kind: 'variable', at: node.at, name: one }, scope),
  }));
  const { machine } = compiler;
  return (frame) => {
    const result = machine.call(pattern(frame), '=~', [subject(frame)]);
    const match = machine.lastMatch;
    for (const one of stores) one.store(frame, match instanceof RubyMatch ? (match.named(one.name) ?? null) : null);
    return result;
  };
}

function functionCall(compiler: Compiler, node: NodeOf<'call'>, scope: Scope): Run {
  const { machine } = compiler;
  const { name } = node;
  const place = node.args.length === 0 && node.block === null ? scope.find(name) : null;
  if (place !== null) return readPlace(place);
  if (name === 'lambda' && node.block !== null) return lambda(compiler, node.block, scope);
  if (name === 'block_given?') return (frame) => frame.activation.block !== null;
  if (name === 'binding' || name === 'eval' || name === 'instance_eval' || name === 'exec' || name === 'system') {
    throw refused(compiler, node, `the method "${name}"`);
  }
  if (name === 'require' || name === 'require_relative' || name === 'load') checkLibrary(compiler, node);
  const known = GLOBAL_FUNCTIONS[name];
  if (known === undefined && !compiler.knowsMethod(name)) return undefinedName(compiler, node);
  return withBlock(compiler, node, scope, (frame, args, block) => {
    const given = args(frame);
    const own: Method | undefined = machine.functions.get(name) ?? known;
    machine.step();
    if (own !== undefined) return own(machine, machine.self, given, block());
    return machine.call(machine.self, name, given, block());
  });
}

/** A name that the script gives a value to elsewhere has none here: an error only when it is reached. */
function undefinedName(compiler: Compiler, node: NodeOf<'call'>): Run {
  if (!compiler.assigned.has(node.name)) throw refused(compiler, node, `the method or variable "${node.name}"`);
  return () => {
    throw exception('NameError', `undefined local variable or method \`${node.name}' for main:Object`);
  };
}

function checkLibrary(compiler: Compiler, node: NodeOf<'call'>): void {
  const [name] = node.args;
  if (name?.kind === 'string' && node.name === 'require' && knowsLibrary(name.value)) return;
  throw refused(compiler, node, `${node.name} ${name?.kind === 'string' ? `"${name.value}"` : 'of this form'}`);
}

export function yieldCall(compiler: Compiler, node: NodeOf<'yield'>, scope: Scope): Run {
  const args = array(compiler, node.args, scope);
  return (frame) => {
    const { block } = frame.activation;
    if (block === null) throw exception('LocalJumpError', 'no block given (yield)');
    return block.run(args(frame), null);
  };
}

/** `===` of a `when`, without a call for what is usual. */
export function caseMatches(compiler: Compiler, test: Value, value: Value): boolean {
  if (isInteger(test) && isInteger(value)) return compare(test, value) === 0;
  const result = compiler.machine.call(test, '===', [value]);
  return result !== null && result !== false;
}

export function splatNode(node: RubyNode): RubyNode | null {
  return node.kind === 'splat' ? node.value : null;
}
