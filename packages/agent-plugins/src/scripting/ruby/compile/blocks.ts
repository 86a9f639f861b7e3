/**
 * Blocks, lambdas and methods of scripts.
 */
import type { BlockNode, NodeOf, Parameter, RubyNode } from '../syntax/ruby-tree.ts';
import { type Method, RubyProc, RubySymbol, type Value } from '../values/ruby-value.ts';
import { type Compiler, newScope, type Scope } from './compiler.ts';
import { Activation, Frame, NextSignal, ReturnSignal, type Run } from './frame.ts';
import { parameters } from './parameters.ts';

export interface CompiledBlock {
  make(frame: Frame, breakTag: object | null): RubyProc;
  /** Whether the call that gets it must look out for a `break`. */
  readonly hasBreak: boolean;
}

const NUMBERED = /^_[1-9]$/;

export function compileBlock(compiler: Compiler, node: BlockNode, scope: Scope): CompiledBlock {
  const own = newScope(scope, 'block');
  const params = node.hasParams ? node.params : impliedParameters(node.body);
  const { bind, arity, takesApart } = parameters(compiler, params, own, false);
  const body = compiler.compile(node.body, own);
  const jump = own.jumps[0];
  const hasNext = jump?.hasNext ?? false;
  const run = hasNext ? catchingNext(body) : body;
  const isEmpty = params.length === 0;
  return {
    hasBreak: jump?.hasBreak ?? false,
    make: (frame, breakTag) =>
      new RubyProc((args, block) => {
        const inner = new Frame(own.size, frame, frame.activation, breakTag);
        if (!isEmpty) {
          const [only] = args;
          bind(inner, takesApart && args.length === 1 && Array.isArray(only) ? only : args, block);
        }
        return run(inner);
      }, arity),
  };
}

/** `_1` and `_2` in a block without parameters. */
function impliedParameters(body: RubyNode): readonly Parameter[] {
  const names = new Set<string>();
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) node.forEach(look);
    else {
      const { kind, name } = node as { kind?: unknown; name?: unknown };
      if ((kind === 'call' || kind === 'variable') && typeof name === 'string' && NUMBERED.test(name)) names.add(name);
      for (const value of Object.values(node)) look(value);
    }
  };
  look(body);
  const most = Math.max(0, ...[...names].map((name) => Number(name.slice(1))));
  return Array.from({ length: most }, (_, index) => ({ kind: 'required', name: `_${index + 1}` }) as const);
}

function catchingNext(body: Run): Run {
  return (frame) => {
    try {
      return body(frame);
    } catch (signal) {
      if (signal instanceof NextSignal) return signal.value;
      throw signal;
    }
  };
}

function catchingReturn(frame: Frame, body: Run): Value {
  try {
    return body(frame);
  } catch (signal) {
    if (signal instanceof ReturnSignal && signal.activation === frame.activation) return signal.value;
    if (signal instanceof NextSignal) return signal.value;
    throw signal;
  }
}

/** A lambda sees the variables around it; its `return` and `break` end itself. */
export function lambda(compiler: Compiler, block: BlockNode, scope: Scope): Run {
  const own = newScope(scope, 'method');
  const { bind, arity } = parameters(
    compiler,
    block.hasParams ? block.params : impliedParameters(block.body),
    own,
    true,
  );
  const body = compiler.compile(block.body, own);
  return (frame) =>
    new RubyProc(
      (args, given) => {
        compiler.machine.step();
        const inner = new Frame(own.size, frame, new Activation(given));
        bind(inner, args, given);
        return catchingReturn(inner, body);
      },
      arity,
      true,
    );
}

/** The code of a whole script, or of a method, sees no variables around it. */
export function method(compiler: Compiler, params: readonly Parameter[], body: RubyNode): Method {
  const own = newScope(null, 'method');
  const { bind } = parameters(compiler, params, own, true);
  const run = compiler.compile(body, own);
  return (machine, _self, args, block) => {
    machine.step();
    const frame = new Frame(own.size, null, new Activation(block));
    bind(frame, args, block);
    return catchingReturn(frame, run);
  };
}

export function definition(compiler: Compiler, node: NodeOf<'def'>): Run {
  const { machine } = compiler;
  // Known from the begin, so that methods can call each other; in force when the definition is reached.
  const made = method(compiler, node.params, node.body);
  return () => {
    machine.functions.set(node.name, made);
    return new RubySymbol(node.name);
  };
}
