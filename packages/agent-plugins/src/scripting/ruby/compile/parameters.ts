/**
 * Parameters of methods, lambdas and blocks: what of the given arguments goes where.
 */
import type { Parameter } from '../syntax/ruby-tree.ts';
import { argumentCount, argumentError } from '../values/ruby-exception.ts';
import { RubyHash, type RubyProc, RubySymbol, type Value } from '../values/ruby-value.ts';
import type { Compiler, Scope } from './compiler.ts';
import type { Frame, Run } from './frame.ts';

export type Bind = (frame: Frame, args: readonly Value[], block: RubyProc | null) => void;

export interface Parameters {
  readonly bind: Bind;
  /** Arguments that must be given; negative, minus one, where there may be more. */
  readonly arity: number;
  /** A block of several parameters takes a single array apart. */
  readonly takesApart: boolean;
}

interface Slot {
  readonly parameter: Parameter;
  readonly slot: number;
  readonly fallback: Run | null;
  readonly inner: Bind | null;
}

/** @param isStrict methods and lambdas: the number of arguments must fit */
export function parameters(
  compiler: Compiler,
  list: readonly Parameter[],
  scope: Scope,
  isStrict: boolean,
): Parameters {
  const slots = list.map((parameter) => slotOf(compiler, parameter, scope));
  const positional = slots.filter(({ parameter }) =>
    ['required', 'pattern', 'optional', 'rest'].includes(parameter.kind),
  );
  const required = positional.filter(({ parameter: { kind } }) => kind === 'required' || kind === 'pattern').length;
  const optional = positional.filter(({ parameter: { kind } }) => kind === 'optional').length;
  const hasRest = positional.some(({ parameter: { kind } }) => kind === 'rest');
  const arity = optional > 0 || hasRest ? -required - 1 : required;
  const takesApart =
    positional.length > 1 ||
    (positional.length === 1 && (hasRest || positional[0]?.parameter.kind === 'pattern') && list.length > 1);
  const isPlain = slots.every(({ parameter: { kind } }) => kind === 'required');
  const most = hasRest ? Number.POSITIVE_INFINITY : required + optional;
  const check = (given: number): void => {
    if (given >= required && given <= most) return;
    throw argumentCount(
      given,
      most === required ? required : most === Number.POSITIVE_INFINITY ? `${required}+` : `${required}..${most}`,
    );
  };
  if (isPlain) return { bind: plainBind(slots, isStrict ? check : null), arity, takesApart };
  const keywords = slots.filter(({ parameter: { kind } }) => kind === 'keyword' || kind === 'restKeywords');
  const others = slots.filter(({ parameter: { kind } }) => kind === 'block');
  const bind: Bind = (frame, args, block) => {
    let given = args;
    if (keywords.length > 0) {
      const last = args.at(-1);
      const named = last instanceof RubyHash && args.length > required ? last : null;
      if (named !== null) given = args.slice(0, -1);
      bindKeywords(frame, keywords, named);
    }
    if (isStrict) check(given.length);
    bindPositional(frame, positional, given, Math.max(0, Math.min(optional, given.length - required)), required);
    for (const { slot } of others) frame.variables[slot] = block;
  };
  return { bind, arity, takesApart };
}

function slotOf(compiler: Compiler, parameter: Parameter, scope: Scope): Slot {
  if (parameter.kind === 'pattern') {
    return { parameter, slot: -1, fallback: null, inner: parameters(compiler, parameter.list, scope, false).bind };
  }
  const slot = parameter.name === null ? scope.hidden() : scope.declare(parameter.name);
  const value = parameter.kind === 'optional' || parameter.kind === 'keyword' ? parameter.value : null;
  return { parameter, slot, fallback: value === null ? null : compiler.compile(value, scope), inner: null };
}

function plainBind(slots: readonly Slot[], check: ((given: number) => void) | null): Bind {
  const [first, second] = slots.map(({ slot }) => slot);
  if (slots.length === 1 && first !== undefined && check === null) {
    return (frame, args) => {
      frame.variables[first] = args[0] ?? null;
    };
  }
  if (slots.length === 2 && first !== undefined && second !== undefined && check === null) {
    return (frame, args) => {
      frame.variables[first] = args[0] ?? null;
      frame.variables[second] = args[1] ?? null;
    };
  }
  return (frame, args) => {
    check?.(args.length);
    for (const [index, { slot }] of slots.entries()) frame.variables[slot] = args[index] ?? null;
  };
}

function bindPositional(
  frame: Frame,
  slots: readonly Slot[],
  args: readonly Value[],
  optional: number,
  required: number,
): void {
  let next = 0;
  let left = optional;
  for (const { parameter, slot, fallback, inner } of slots) {
    if (parameter.kind === 'rest') {
      const count = Math.max(0, args.length - required - optional);
      frame.variables[slot] = args.slice(next, next + count);
      next += count;
    } else if (parameter.kind === 'optional' && left-- <= 0) frame.variables[slot] = fallback?.(frame) ?? null;
    else {
      const value = args[next++] ?? null;
      if (inner === null) frame.variables[slot] = value;
      else inner(frame, Array.isArray(value) ? value : [value], null);
    }
  }
}

function bindKeywords(frame: Frame, slots: readonly Slot[], named: RubyHash | null): void {
  const taken = new Set<string>();
  for (const { parameter, slot, fallback } of slots) {
    if (parameter.kind === 'keyword') {
      const value = named?.get(new RubySymbol(parameter.name));
      taken.add(parameter.name);
      if (value === undefined && parameter.value === null) throw argumentError(`missing keyword: :${parameter.name}`);
      frame.variables[slot] = value === undefined ? (fallback?.(frame) ?? null) : value;
    } else {
      const rest = named?.pairs().filter(([key]) => !(key instanceof RubySymbol && taken.has(key.name))) ?? [];
      frame.variables[slot] = RubyHash.of(rest);
    }
  }
  if (named === null || slots.some(({ parameter }) => parameter.kind === 'restKeywords')) return;
  const unknown = named.pairs().find(([key]) => !(key instanceof RubySymbol && taken.has(key.name)));
  if (unknown !== undefined)
    throw argumentError(`unknown keyword: ${unknown[0] instanceof RubySymbol ? unknown[0].show() : 'of another kind'}`);
}
