/**
 * Statements: blocks, declarations, conditions, loops, exceptions and the ways out.
 */
import { compileFailure } from '../errors/script-error.ts';
import { isKindOf, resolveType } from '../library/class-library.ts';
import { fromDef } from '../library/convert.ts';
import { itemsOf } from '../library/items-of.ts';
import type {
  BlockNode,
  EachNode,
  ExpressionNode,
  ForNode,
  StatementNode,
  StatementOf,
} from '../syntax/painless-tree.ts';
import { isArray, isNumeric, type ScriptType } from '../types/script-type.ts';
import { JavaException } from '../values/java-exception.ts';
import { BROKEN, CONTINUED, type Completion, DONE, type Frame, RETURNED, type Run, type Step } from './code.ts';
import { coerce, condition, toDef } from './coerce.ts';
import type { Compiler } from './compiler.ts';
import type { LoopScope, Scope } from './scope.ts';

const step = (run: Step['run'], endsBlock = false, returns = false): Step => ({ run, endsBlock, returns });

export interface StatementCompiler extends Compiler {
  /** Offsets of all statements, as they come. */
  readonly statements: number[];
}

/** Statements of a block in a scope of their own; `isLast`: the last of them may give the result. */
export function block(compiler: StatementCompiler, node: BlockNode, scope: Scope, isLast: boolean): Step {
  return sequence(compiler, node.list, scope.inner(), isLast);
}

export function sequence(
  compiler: StatementCompiler,
  list: readonly StatementNode[],
  scope: Scope,
  isLast: boolean,
): Step {
  const steps: Step[] = [];
  for (const [i, node] of list.entries()) {
    if (steps.at(-1)?.endsBlock === true)
      throw compileFailure(list[i - 1]?.at ?? 0, 'invalid block: unreachable statement');
    steps.push(statement(compiler, node, scope, isLast && i === list.length - 1));
  }
  const last = steps.at(-1);
  const runs = steps.map(({ run }) => run);
  const [only] = runs;
  if (runs.length === 1 && only !== undefined) return last as Step;
  return step(
    (frame) => {
      for (const run of runs) {
        const completion = run(frame);
        if (completion !== DONE) return completion;
      }
      return DONE;
    },
    last?.endsBlock ?? false,
    last?.returns ?? false,
  );
}

function statement(compiler: StatementCompiler, node: StatementNode, scope: Scope, isLast: boolean): Step {
  if (node.kind !== 'block' && node.kind !== 'declare') compiler.statements.push(node.at);
  switch (node.kind) {
    case 'block':
      return block(compiler, node, scope, isLast);
    case 'declare':
      return declare(compiler, node, scope);
    case 'expression':
      return expression(compiler, node.value, scope, isLast);
    case 'if':
      return ifElse(compiler, node, scope, isLast);
    case 'while':
    case 'do':
      return whileLoop(compiler, node, scope);
    case 'for':
      return forLoop(compiler, node, scope);
    case 'each':
      return eachLoop(compiler, node, scope);
    case 'try':
      return tryCatch(compiler, node, scope, isLast);
    case 'return':
      return returning(compiler, node, scope);
    case 'throw': {
      const { run } = coerce(compiler.expression(node.value, scope), 'java.lang.Exception');
      return step(
        (frame) => {
          const error = run(frame);
          frame.machine.at = node.value.at;
          throw error;
        },
        true,
        true,
      );
    }
    case 'break':
    case 'continue': {
      if (scope.loop === null) throw compileFailure(node.at, `invalid ${node.kind} statement: not inside loop`);
      if (node.kind === 'break') scope.loop.hasBreak = true;
      const completion = node.kind === 'break' ? BROKEN : CONTINUED;
      return step(() => completion, true);
    }
  }
}

function zeroOf(type: ScriptType): unknown {
  if (type === 'boolean') return false;
  if (type === 'long') return 0n;
  return isNumeric(type) ? 0 : null;
}

function declare(compiler: StatementCompiler, node: StatementOf<'declare'>, scope: Scope): Step {
  const type = resolveType(node.type);
  const writes: ((frame: Frame) => void)[] = [];
  for (const { at, name, value } of node.variables) {
    compiler.statements.push(at);
    if (type === null || type === 'void')
      throw compileFailure(at, `invalid declaration: cannot resolve type [${node.type}]`);
    const run: Run = value === null ? () => zeroOf(type) : coerce(compiler.expression(value, scope), type).run;
    const { slot } = scope.declare(name, type, at);
    writes.push((frame) => {
      frame.slots[slot] = run(frame);
    });
  }
  const [only] = writes;
  if (writes.length === 1 && only !== undefined) {
    return step((frame) => {
      only(frame);
      return DONE;
    });
  }
  return step((frame) => {
    for (const write of writes) write(frame);
    return DONE;
  });
}

const USELESS: Readonly<Partial<Record<ExpressionNode['kind'], string>>> = {
  number: 'numeric constant',
  string: 'string constant',
  boolean: 'boolean constant',
  null: 'null constant',
  name: 'symbol',
  binary: 'operation',
  unary: 'operation',
  list: 'list initializer',
  map: 'map initializer',
};

function expression(compiler: StatementCompiler, node: ExpressionNode, scope: Scope, isLast: boolean): Step {
  const value = compiler.expression(node, scope);
  const { returns } = scope.fn;
  if (isLast && returns !== 'void' && value.type !== 'void') return giving(coerce(value, returns).run);
  const what = USELESS[node.kind];
  if (what !== undefined) throw compileFailure(node.at, `not a statement: result not used from ${what}`);
  const { run } = coerce(value, 'void');
  return step((frame) => {
    run(frame);
    return DONE;
  });
}

function giving(value: Run): Step {
  const run = (frame: Frame): Completion => {
    frame.result = value(frame);
    return RETURNED;
  };
  return { ...step(run, true, true), value };
}

function returning(compiler: StatementCompiler, { at, value }: StatementOf<'return'>, scope: Scope): Step {
  const { returns } = scope.fn;
  if (value === null) {
    if (returns !== 'void' && returns !== 'def') {
      throw compileFailure(at, `Cannot cast from [void] to [${returns}].`, 'class_cast_exception');
    }
    return giving(() => null);
  }
  const given = compiler.expression(value, scope);
  return giving((returns === 'void' ? coerce(given, given.type) : coerce(given, returns)).run);
}

function ifElse(compiler: StatementCompiler, node: StatementOf<'if'>, scope: Scope, isLast: boolean): Step {
  const value = compiler.expression(node.test, scope);
  const test = condition(value);
  if (value.constant !== undefined) throw compileFailure(node.at, 'extraneous if block');
  const then = block(compiler, node.then, scope, isLast);
  if (node.otherwise === null) return step((frame) => (test(frame) === true ? then.run(frame) : DONE));
  const otherwise = block(compiler, node.otherwise, scope, isLast);
  return step(
    (frame) => (test(frame) === true ? then.run(frame) : otherwise.run(frame)),
    then.endsBlock && otherwise.endsBlock,
    then.returns && otherwise.returns,
  );
}

function whileLoop(compiler: StatementCompiler, node: StatementOf<'while' | 'do'>, scope: Scope): Step {
  const value = compiler.expression(node.test, scope);
  const test = condition(value);
  const loop: LoopScope = { hasBreak: false };
  const body = node.body === null ? null : block(compiler, node.body, scope.inner(loop), false);
  const isEndless = value.constant?.value === true;
  if (value.constant?.value === false && node.kind === 'while') throw compileFailure(node.at, 'extraneous while loop');
  if (isEndless && !loop.hasBreak && body?.returns !== true && !(body !== null && mayReturn(node.body))) {
    throw compileFailure(node.at, `no paths escape from ${node.kind === 'do' ? 'do-while' : 'while'} loop`);
  }
  const run = rounds(node.at, test, body?.run ?? null, null, node.kind === 'do');
  return step(run, isEndless && !loop.hasBreak, isEndless && !loop.hasBreak);
}

/** True where a `return` or `throw` stands somewhere within. */
function mayReturn(node: BlockNode | null): boolean {
  return node?.list.some(leaves) ?? false;
}

function leaves(node: StatementNode): boolean {
  switch (node.kind) {
    case 'return':
    case 'throw':
      return true;
    case 'block':
      return mayReturn(node);
    case 'if':
      return mayReturn(node.then) || mayReturn(node.otherwise);
    case 'while':
    case 'do':
    case 'for':
    case 'each':
      return mayReturn(node.body);
    case 'try':
      return mayReturn(node.body) || node.catches.some((one) => mayReturn(one.body));
    default:
      return false;
  }
}

function rounds(
  at: number,
  test: Run | null,
  body: Step['run'] | null,
  after: Run | null,
  isTestedLast: boolean,
): Step['run'] {
  return (frame) => {
    for (let round = 0; ; round++) {
      if (!(isTestedLast && round === 0) && test !== null && test(frame) !== true) return DONE;
      frame.machine.at = at;
      frame.machine.step();
      const completion: Completion = body === null ? DONE : body(frame);
      if (completion === RETURNED) return RETURNED;
      if (completion === BROKEN) return DONE;
      after?.(frame);
    }
  };
}

function forLoop(compiler: StatementCompiler, node: ForNode, scope: Scope): Step {
  const own = scope.inner();
  const { init } = node;
  const start =
    init === null
      ? null
      : init.kind === 'declare'
        ? declare(compiler, init, own).run
        : all(init.list.map((one) => compiler.expression(one, own).run));
  const value = node.test === null ? null : compiler.expression(node.test, own);
  const test = value === null ? null : condition(value);
  const loop: LoopScope = { hasBreak: false };
  const body = node.body === null ? null : block(compiler, node.body, own.inner(loop), false);
  const after = node.step === null ? null : all(node.step.list.map((one) => compiler.expression(one, own).run));
  const isEndless = value === null || value.constant?.value === true;
  if (value?.constant?.value === false) throw compileFailure(node.at, 'extraneous for loop');
  if (isEndless && !loop.hasBreak && !mayReturn(node.body)) {
    throw compileFailure(node.at, 'no paths escape from for loop');
  }
  const run = rounds(node.at, test, body?.run ?? null, after, false);
  return step(
    (frame) => {
      start?.(frame);
      return run(frame);
    },
    isEndless && !loop.hasBreak,
    isEndless && !loop.hasBreak,
  );
}

function all(runs: readonly Run[]): Run {
  return (frame) => {
    for (const run of runs) run(frame);
    return null;
  };
}

function eachLoop(compiler: StatementCompiler, node: EachNode, scope: Scope): Step {
  const type = resolveType(node.type);
  if (type === null) throw compileFailure(node.nameAt, `invalid foreach loop: Not a type [${node.type}].`);
  const list = compiler.expression(node.list, scope);
  const isIterable = list.type === 'def' || isArray(list.type) || isKindOf(list.type, 'java.lang.Iterable');
  if (!isIterable) throw compileFailure(node.at, `Illegal for each type [${list.type}].`);
  const items = toDef(list).run;
  const own = scope.inner({ hasBreak: false });
  const { slot } = own.declare(node.name, type, node.nameAt);
  const body = block(compiler, node.body, own, false).run;
  return step((frame) => {
    const value = items(frame);
    frame.machine.at = node.list.at;
    for (const item of itemsOf(frame.machine, value)) {
      frame.slots[slot] = fromDef(item, type);
      const completion = body(frame);
      if (completion === RETURNED) return RETURNED;
      if (completion === BROKEN) return DONE;
    }
    return DONE;
  });
}

function tryCatch(compiler: StatementCompiler, node: StatementOf<'try'>, scope: Scope, isLast: boolean): Step {
  const body = block(compiler, node.body, scope, isLast);
  const catches = node.catches.map(({ at, type, name, body: handler }) => {
    const resolved = resolveType(type);
    if (resolved === null || !isKindOf(resolved, 'java.lang.Exception'))
      throw compileFailure(at, `Not a type [${type}].`);
    const own = scope.inner();
    const { slot } = own.declare(name, resolved, at);
    return { type: resolved, slot, handler: block(compiler, handler, own, isLast) };
  });
  const parts = [body, ...catches.map(({ handler }) => handler)];
  return step(
    (frame) => {
      const depth = frame.machine.depth;
      try {
        return body.run(frame);
      } catch (error) {
        if (!(error instanceof JavaException)) throw error;
        const found = catches.find(({ type }) => isKindOf(error.javaClass, type));
        if (found === undefined) throw error;
        frame.machine.depth = depth;
        frame.slots[found.slot] = error;
        return found.handler.run(frame);
      }
    },
    parts.every((part) => part.endsBlock),
    parts.every((part) => part.returns),
  );
}
