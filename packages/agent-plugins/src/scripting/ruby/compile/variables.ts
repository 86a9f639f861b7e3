/**
 * Reading and setting of variables, constants, items and attributes; all forms of assignment.
 */

import { STANDARD_ERROR, STANDARD_OUTPUT } from '../library/system-methods.ts';
import type { NodeOf, RubyNode } from '../syntax/ruby-tree.ts';
import { exception } from '../values/ruby-exception.ts';
import { RubyMatch } from '../values/ruby-regexp.ts';
import { RubyHash, RubyRange, str, truthy, type Value } from '../values/ruby-value.ts';
import { type Compiler, refused, type Scope, type VariablePlace } from './compiler.ts';
import type { Frame, Run } from './frame.ts';

export function readPlace({ depth, slot }: VariablePlace): Run {
  if (depth === 0) return (frame) => frame.variables[slot] ?? null;
  if (depth === 1) return (frame) => frame.parent?.variables[slot] ?? null;
  return (frame) => outer(frame, depth).variables[slot] ?? null;
}

function outer(frame: Frame, depth: number): Frame {
  let found = frame;
  for (let i = 0; i < depth; i++) found = found.parent ?? found;
  return found;
}

type Store = (frame: Frame, value: Value) => void;

function storePlace({ depth, slot }: VariablePlace): Store {
  if (depth === 0) {
    return (frame, value) => {
      frame.variables[slot] = value;
    };
  }
  return (frame, value) => {
    outer(frame, depth).variables[slot] = value;
  };
}

/** Globals that stand for the last match. */
const MATCH_GLOBALS: Readonly<Record<string, (match: RubyMatch) => Value>> = {
  '~': (match) => match,
  '&': (match) => match.group(0),
  '`': (match) => str(match.text.slice(0, match.found.index)),
  "'": (match) => str(match.text.slice(match.end)),
  '+': (match) => match.captures().findLast((one) => one !== null) ?? null,
};

const STREAMS: ReadonlyMap<string, Value> = new Map([
  ['stdout', STANDARD_OUTPUT],
  ['stderr', STANDARD_ERROR],
]);

export function globalVariable(compiler: Compiler, node: NodeOf<'globalVariable'>): Run {
  const { machine } = compiler;
  const { name } = node;
  const stream = STREAMS.get(name);
  if (stream !== undefined) return () => stream;
  if (/^(?:stdin|0|\$|LOAD_PATH|CLASSPATH|PROGRAM_NAME|:|")$/.test(name)) throw refused(compiler, node, `$${name}`);
  if (name === '!') return () => machine.currentError;
  const read = /^[1-9]\d*$/.test(name)
    ? (match: RubyMatch): Value => (Number(name) < match.found.length ? match.group(Number(name)) : null)
    : MATCH_GLOBALS[name];
  if (read !== undefined) return () => (machine.lastMatch instanceof RubyMatch ? read(machine.lastMatch) : null);
  return () => machine.globals.get(name) ?? null;
}

export function classVariable(compiler: Compiler, { name }: NodeOf<'classVariable'>): Run {
  const { classVariables } = compiler.machine;
  return () => {
    const value = classVariables.get(name);
    if (value === undefined)
      throw exception('NameError', `uninitialized class variable @@${name} in LogStash::Filters::Ruby`);
    return value;
  };
}

export function storeInto(compiler: Compiler, target: RubyNode, scope: Scope): Store {
  const { machine } = compiler;
  switch (target.kind) {
    case 'variable': {
      const place = scope.find(target.name) ?? { depth: 0, slot: scope.declare(target.name) };
      return storePlace(place);
    }
    case 'instanceVariable':
      return (_frame, value) => {
        machine.self.variables.set(target.name, value);
      };
    case 'classVariable':
      return (_frame, value) => {
        machine.classVariables.set(target.name, value);
      };
    case 'globalVariable':
      return (_frame, value) => {
        machine.globals.set(target.name, value);
      };
    case 'constant':
      return (_frame, value) => {
        machine.constants.set(target.name, value);
      };
    case 'call':
      return storeByCall(compiler, target, scope);
    case 'group':
      return storeAll(compiler, target.targets, scope);
    default:
      throw refused(compiler, target, 'an assignment of this form');
  }
}

function storeByCall(compiler: Compiler, target: NodeOf<'call'>, scope: Scope): Store {
  const { machine } = compiler;
  if (target.receiver === null) throw refused(compiler, target, 'an assignment of this form');
  const receiver = compiler.compile(target.receiver, scope);
  const name = `${target.name}=`;
  if (!compiler.knowsMethod(name)) throw refused(compiler, target, `the method "${name}"`);
  const args = target.args.map((arg) => compiler.compile(arg, scope));
  return (frame, value) => {
    const object = receiver(frame);
    if (target.isSafe && object === null) return;
    machine.call(object, name, [...args.map((arg) => arg(frame)), value]);
  };
}

export function assign(compiler: Compiler, node: NodeOf<'assign'>, scope: Scope): Run {
  if (node.op !== '') return assignWith(compiler, node, scope);
  // The name is known to its own value: `x = x` is nil.
  if (node.target.kind === 'variable' && scope.find(node.target.name) === null) scope.declare(node.target.name);
  const value = compiler.compile(node.value, scope);
  const store = storeInto(compiler, node.target, scope);
  return (frame) => {
    const made = value(frame);
    store(frame, made);
    return made;
  };
}

/** `x += 1`, `x ||= {}` and their like: the object and the index of an item are evaluated once. */
function assignWith(compiler: Compiler, node: NodeOf<'assign'>, scope: Scope): Run {
  const { target, op } = node;
  if (target.kind === 'call' && target.receiver !== null) return assignItemWith(compiler, target, node, scope);
  if (target.kind === 'variable' && scope.find(target.name) === null) scope.declare(target.name);
  const read = op === '||' ? readOrNil(compiler, target, scope) : compiler.compile(target, scope);
  const value = compiler.compile(node.value, scope);
  const store = storeInto(compiler, target, scope);
  return (frame) =>
    combined(
      compiler,
      op,
      read(frame),
      () => value(frame),
      (made) => store(frame, made),
    );
}

/** What `||=` reads: a name without a value is nil to it, where it is an error elsewhere. */
function readOrNil(compiler: Compiler, target: RubyNode, scope: Scope): Run {
  const { machine } = compiler;
  if (target.kind === 'constant') return () => machine.constants.get(target.name) ?? null;
  if (target.kind === 'classVariable') return () => machine.classVariables.get(target.name) ?? null;
  return compiler.compile(target, scope);
}

function combined(compiler: Compiler, op: string, old: Value, value: () => Value, store: (made: Value) => void): Value {
  if (op === '||' && truthy(old)) return old;
  if (op === '&&' && !truthy(old)) return old;
  const made = op === '||' || op === '&&' ? value() : compiler.machine.call(old, op, [value()]);
  store(made);
  return made;
}

function assignItemWith(compiler: Compiler, target: NodeOf<'call'>, node: NodeOf<'assign'>, scope: Scope): Run {
  const { machine } = compiler;
  const receiver = compiler.compile(target.receiver ?? target, scope);
  const args = target.args.map((arg) => compiler.compile(arg, scope));
  const value = compiler.compile(node.value, scope);
  const name = `${target.name}=`;
  if (!compiler.knowsMethod(name)) throw refused(compiler, target, `the method "${name}"`);
  return (frame) => {
    const object = receiver(frame);
    if (target.isSafe && object === null) return null;
    const given = args.map((arg) => arg(frame));
    const store = (made: Value): void => {
      machine.call(object, name, [...given, made]);
    };
    return combined(compiler, node.op, machine.call(object, target.name, given), () => value(frame), store);
  };
}

export function multipleAssign(compiler: Compiler, node: NodeOf<'multipleAssign'>, scope: Scope): Run {
  const value = compiler.compile(node.value, scope);
  const store = storeAll(compiler, node.targets, scope);
  return (frame) => {
    const made = value(frame);
    store(frame, made);
    return made;
  };
}

/** Takes a list apart; what is no list goes to the first target. */
function storeAll(compiler: Compiler, targets: readonly RubyNode[], scope: Scope): Store {
  const splat = targets.findIndex((target) => target.kind === 'splat');
  const stores = targets.map((target) => storeInto(compiler, target.kind === 'splat' ? target.value : target, scope));
  return (frame, value) => {
    const list = Array.isArray(value) ? value : [value];
    const behind = splat < 0 ? 0 : stores.length - splat - 1;
    for (const [index, store] of stores.entries()) {
      if (splat < 0 || index < splat) store(frame, list[index] ?? null);
      else if (index === splat) store(frame, list.slice(splat, Math.max(splat, list.length - behind)));
      else store(frame, list[Math.max(splat, list.length - behind) + index - splat - 1] ?? null);
    }
  };
}

export function array(compiler: Compiler, items: readonly RubyNode[], scope: Scope): (frame: Frame) => Value[] {
  const { machine } = compiler;
  const plain = items.filter(
    (item) => item.kind !== 'pair' && item.kind !== 'doubleSplat' && item.kind !== 'blockPass',
  );
  const pairs = items.filter((item) => item.kind === 'pair' || item.kind === 'doubleSplat');
  const labels = pairs.length === 0 ? null : hash(compiler, pairs, scope);
  const hasSplat = plain.some((item) => item.kind === 'splat');
  const runs = plain.map((item) => compiler.compile(item.kind === 'splat' ? item.value : item, scope));
  if (!hasSplat && labels === null) {
    const [first, second] = runs;
    if (runs.length === 0) return () => [];
    if (runs.length === 1 && first !== undefined) return (frame) => [first(frame)];
    if (runs.length === 2 && first !== undefined && second !== undefined)
      return (frame) => [first(frame), second(frame)];
  }
  return (frame) => {
    const made: Value[] = [];
    for (const [index, run] of runs.entries()) {
      const value = run(frame);
      if (plain[index]?.kind === 'splat') for (const one of splatted(compiler, value)) made.push(one);
      else made.push(value);
    }
    if (labels !== null) {
      const keywords = labels(frame);
      keywords.isKeywords = true;
      if (keywords.entries.size > 0 || pairs.some((pair) => pair.kind === 'pair')) made.push(keywords);
    }
    machine.grow(made.length);
    return made;
  };
}

export function splatted(compiler: Compiler, value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  if (value === null) return [];
  return value instanceof RubyHash || value instanceof RubyRange
    ? (compiler.machine.call(value, 'to_a') as Value[])
    : [value];
}

export function hash(compiler: Compiler, pairs: readonly RubyNode[], scope: Scope): (frame: Frame) => RubyHash {
  const steps = pairs.map((pair): ((frame: Frame, made: RubyHash) => void) => {
    if (pair.kind === 'doubleSplat') {
      const value = compiler.compile(pair.value, scope);
      return (frame, made) => {
        const other = value(frame);
        if (!(other instanceof RubyHash)) throw exception('TypeError', 'no implicit conversion into Hash');
        for (const [key, item] of other.pairs()) made.set(key, item);
      };
    }
    if (pair.kind !== 'pair') throw refused(compiler, pair, 'a hash of this form');
    const key = compiler.compile(pair.key, scope);
    const value = compiler.compile(pair.value, scope);
    return (frame, made) => made.set(key(frame), value(frame));
  });
  return (frame) => {
    const made = new RubyHash();
    compiler.machine.grow(steps.length + 1);
    for (const step of steps) step(frame, made);
    return made;
  };
}
