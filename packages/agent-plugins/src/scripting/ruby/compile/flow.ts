/**
 * Conditions, loops, cases, exceptions and the ways out.
 */
import { asException, ScriptLimitError } from '../machine/script-machine.ts';
import type { BeginNode, CaseNode, NodeOf, RubyNode } from '../syntax/ruby-tree.ts';
import { exceptionClass, RubyException, typeError } from '../values/ruby-exception.ts';
import { RubyClass, truthy, type Value } from '../values/ruby-value.ts';
import { caseMatches, splatNode } from './calls.ts';
import { type Compiler, type JumpTarget, refused, type Scope } from './compiler.ts';
import { BlockBreak, type Frame, LoopBreak, NextSignal, RetrySignal, ReturnSignal, type Run } from './frame.ts';
import { splatted, storeInto } from './variables.ts';

const NIL: Run = () => null;

export function condition(compiler: Compiler, node: NodeOf<'if'>, scope: Scope): Run {
  const test = compiler.compile(node.test, scope);
  const then = node.then === null ? NIL : compiler.compile(node.then, scope);
  const otherwise = node.otherwise === null ? NIL : compiler.compile(node.otherwise, scope);
  return (frame) => {
    const value = test(frame);
    return value !== null && value !== false ? then(frame) : otherwise(frame);
  };
}

function inLoop<T>(scope: Scope, run: (jump: JumpTarget) => T): T {
  const jump: JumpTarget = { kind: 'loop', hasNext: false, hasBreak: false };
  scope.jumps.push(jump);
  try {
    return run(jump);
  } finally {
    scope.jumps.pop();
  }
}

function round(body: Run, jump: JumpTarget): Run {
  if (!jump.hasNext) return body;
  return (frame) => {
    try {
      return body(frame);
    } catch (signal) {
      if (signal instanceof NextSignal) return null;
      throw signal;
    }
  };
}

function breakable(run: Run, jump: JumpTarget): Run {
  if (!jump.hasBreak) return run;
  return (frame) => {
    try {
      return run(frame);
    } catch (signal) {
      if (signal instanceof LoopBreak) return signal.value;
      throw signal;
    }
  };
}

export function whileLoop(compiler: Compiler, node: NodeOf<'while'>, scope: Scope): Run {
  const { machine } = compiler;
  return inLoop(scope, (jump) => {
    const test = compiler.compile(node.test, scope);
    const compiled = compiler.compile(node.body, scope);
    const body = round(compiled, jump);
    return breakable((frame) => {
      if (node.isTestedLast) body(frame);
      while (truthy(test(frame))) {
        machine.step();
        body(frame);
      }
      return null;
    }, jump);
  });
}

export function forLoop(compiler: Compiler, node: NodeOf<'for'>, scope: Scope): Run {
  const { machine } = compiler;
  const list = compiler.compile(node.list, scope);
  const stores = node.names.map((name) => storeInto(compiler, { kind: 'variable', at: node.at, name }, scope));
  return inLoop(scope, (jump) => {
    const compiled = compiler.compile(node.body, scope);
    const body = round(compiled, jump);
    return breakable((frame) => {
      const value = list(frame);
      for (const item of machine.call(value, 'to_a') as Value[]) {
        machine.step();
        const parts = stores.length > 1 && Array.isArray(item) ? item : [item];
        for (const [index, store] of stores.entries()) store(frame, parts[index] ?? null);
        body(frame);
      }
      return value;
    }, jump);
  });
}

export function caseOf(compiler: Compiler, node: CaseNode, scope: Scope): Run {
  const subject = node.subject === null ? null : compiler.compile(node.subject, scope);
  const whens = node.whens.map(({ tests, body }) => ({
    tests: tests.map((test) => ({
      run: compiler.compile(splatNode(test) ?? test, scope),
      isList: test.kind === 'splat',
    })),
    body: compiler.compile(body, scope),
  }));
  const otherwise = node.otherwise === null ? NIL : compiler.compile(node.otherwise, scope);
  return (frame) => {
    const value = subject?.(frame) ?? null;
    for (const { tests, body } of whens) {
      for (const { run, isList } of tests) {
        const test = run(frame);
        const given = isList ? splatted(compiler, test) : [test];
        if (given.some((one) => (subject === null ? truthy(one) : caseMatches(compiler, one, value))))
          return body(frame);
      }
    }
    return otherwise(frame);
  };
}

/** Rounds of `retry`, at most: each may wait for nothing. */
const RETRIES_MAX = 1_000;

export function begin(compiler: Compiler, node: BeginNode, scope: Scope): Run {
  const body = compiler.compile(node.body, scope);
  const clauses = node.rescues.map((clause) => rescueClause(compiler, clause, scope));
  const otherwise = node.otherwise === null ? null : compiler.compile(node.otherwise, scope);
  const ensure = node.ensure === null ? null : compiler.compile(node.ensure, scope);
  const guarded: Run = (frame) => {
    for (let round = 0; ; round++) {
      compiler.machine.step();
      let result: Value;
      try {
        result = body(frame);
      } catch (error) {
        try {
          return rescued(compiler, frame, error, clauses);
        } catch (signal) {
          if (signal instanceof RetrySignal && round < RETRIES_MAX) continue;
          throw signal;
        }
      }
      return otherwise === null ? result : otherwise(frame);
    }
  };
  const run = clauses.length === 0 ? body : guarded;
  if (ensure === null) return run;
  return (frame) => {
    try {
      return run(frame);
    } finally {
      ensure(frame);
    }
  };
}

interface Clause {
  matches(frame: Frame, error: RubyException): boolean;
  run(frame: Frame, error: RubyException): Value;
}

function rescueClause(compiler: Compiler, clause: BeginNode['rescues'][number], scope: Scope): Clause {
  const classes = clause.classes.map((one) => ({
    run: compiler.compile(splatNode(one) ?? one, scope),
    isList: one.kind === 'splat',
  }));
  const store = clause.target === null ? null : storeInto(compiler, clause.target, scope);
  const body = compiler.compile(clause.body, scope);
  const standard = exceptionClass('StandardError');
  return {
    matches: (frame, error) => {
      if (classes.length === 0) return error.rubyClass.isWithin(standard);
      return classes.some(({ run, isList }) => {
        const value = run(frame);
        return (isList ? splatted(compiler, value) : [value]).some((one) => {
          if (!(one instanceof RubyClass)) throw typeError('class or module required for rescue clause');
          return error.rubyClass.isWithin(one);
        });
      });
    },
    run: (frame, error) => {
      store?.(frame, error);
      return body(frame);
    },
  };
}

function rescued(compiler: Compiler, frame: Frame, error: unknown, clauses: readonly Clause[]): Value {
  const { machine } = compiler;
  const raised = error instanceof ScriptLimitError ? error : asException(error);
  if (!(raised instanceof RubyException)) throw raised;
  const clause = clauses.find((one) => one.matches(frame, raised));
  if (clause === undefined) throw raised;
  const before = machine.currentError;
  machine.currentError = raised;
  try {
    return clause.run(frame, raised);
  } finally {
    machine.currentError = before;
  }
}

function givenValue(compiler: Compiler, value: RubyNode | null, scope: Scope): Run {
  return value === null ? NIL : compiler.compile(value, scope);
}

export function jump(compiler: Compiler, node: NodeOf<'return'> | NodeOf<'next'> | NodeOf<'break'>, scope: Scope): Run {
  const value = givenValue(compiler, node.value, scope);
  if (node.kind === 'return') {
    return (frame) => {
      throw new ReturnSignal(frame.activation, value(frame));
    };
  }
  const target = scope.jumps.at(-1);
  if (target === undefined) throw refused(compiler, node, node.kind);
  if (node.kind === 'next') {
    target.hasNext = true;
    return (frame) => {
      throw new NextSignal(value(frame));
    };
  }
  if (target.kind === 'loop') {
    target.hasBreak = true;
    return (frame) => {
      throw new LoopBreak(value(frame));
    };
  }
  if (target.kind === 'method') {
    // Ends a lambda as `return` does.
    return (frame) => {
      throw new ReturnSignal(frame.activation, value(frame));
    };
  }
  target.hasBreak = true;
  return (frame) => {
    throw new BlockBreak(frame.breakTag ?? {}, value(frame));
  };
}
