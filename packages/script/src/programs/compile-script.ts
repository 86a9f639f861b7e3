/**
 * Compiles the text of a painless script into a program that runs any number of times.
 *
 * A program is a tree of functions of JavaScript: nothing of a script's text is ever evaluated as code. What it may reach is
 * the library of classes and the values it is given; what it may cost is counted by its machine.
 */
import { assert, isShoalError, ShoalError } from '@shoal/core';
import { Frame, RETURNED, type Run, type Step } from '../compile/code.ts';
import { coerce, toDef } from '../compile/coerce.ts';
import { compileExpression } from '../compile/compile-expression.ts';
import type { ScriptFunctionInfo } from '../compile/compiler.ts';
import { FunctionScope, Scope } from '../compile/scope.ts';
import { block, type StatementCompiler, sequence } from '../compile/statements.ts';
import { CompileFailure, compileError, compileFailure, runtimeError } from '../errors/script-error.ts';
import type { ScriptSource } from '../errors/script-source.ts';
import { isTypeName, resolveType } from '../library/class-library.ts';
import { ScriptMachine } from '../machine/script-machine.ts';
import type { FunctionNode, LambdaNode, ScriptTree } from '../syntax/painless-tree.ts';
import { parsePainless } from '../syntax/parse-painless.ts';
import { isNumeric, type ScriptType } from '../types/script-type.ts';
import { JavaException } from '../values/java-exception.ts';
import type { VectorInputs } from '../vectors/vector-compiler.ts';
import { type VectorProgram, vectorProgram } from '../vectors/vector-program.ts';
import type { ScriptContext } from './script-context.ts';

export interface ScriptProgram {
  readonly source: ScriptSource;
  readonly context: ScriptContext;
  /** Binds the variables of its context, in their order: raw numbers for primitives, else as `script-values` makes them. */
  bind(values: readonly unknown[]): BoundProgram;
  /** Runs the script once, with such values. */
  run(values: readonly unknown[]): unknown;
  /** The script over many documents at once; null where it cannot be run so, or not over these columns. */
  vectors(inputs: VectorInputs): VectorProgram | null;
}

/** A program with the values of its variables, for any number of runs, one after the other. */
export interface BoundProgram {
  /** Binds a variable anew, by its position among those of the context. */
  set(position: number, value: unknown): void;
  /**
   * Runs the script once.
   *
   * @returns the result in the form of the context's type: a number for `double`, a boolean, a boxed value for `def`; of a context
   * with `emit` the arguments of its calls
   * @throws ShoalError `script_exception` (400) where it fails, or costs more than its limits
   */
  run(): unknown;
}

/** Characters of a script; `script.max_size_in_bytes` of a node may allow fewer. */
const LENGTH_MAX = 65_535;

/** @throws ShoalError `script_exception` (400) "compile error" with the place */
export function compileScript(source: ScriptSource, context: ScriptContext): ScriptProgram {
  try {
    return compiled(source, context);
  } catch (error) {
    if (error instanceof CompileFailure) throw compileError(source, error);
    if (error instanceof RangeError) throw compileError(source, compileFailure(0, 'the script is nested too deep'));
    throw error;
  }
}

function compiled(source: ScriptSource, context: ScriptContext): ScriptProgram {
  if (source.text.length > LENGTH_MAX) {
    throw compileFailure(0, `Scripts may be no longer than [${LENGTH_MAX}] characters.`);
  }
  const tree = parsePainless(source.text, isTypeName);
  const compiler = newCompiler(context);
  declareFunctions(compiler, tree);
  const fn = new FunctionScope(context.returns);
  const scope = new Scope(fn);
  for (const { name, type } of context.variables) scope.declare(name, type, 0, true);
  if (tree.statements.length === 0)
    throw compileFailure(0, 'Cannot generate an empty script. There are no statements to compile.');
  for (const node of tree.functions) compileFunction(compiler, node);
  const result = resultOf(sequence(compiler, tree.statements, scope.inner(), true), context.returns);
  const hasEmit = Object.values(context.functions).some(({ emits }) => emits === true);
  const statements = compiler.statements.sort((a, b) => a - b);
  const bind = (values: readonly unknown[]): BoundProgram => {
    assert(
      values.length === context.variables.length,
      `${values.length} values for the variables of [${context.name}]`,
    );
    const machine = new ScriptMachine();
    // What a run leaves in a slot no other reads before it has written there: each declaration gives its variable a value.
    const slots = new Array<unknown>(fn.slotCount).fill(null);
    for (let i = 0; i < values.length; i++) slots[i] = values[i];
    const frame = new Frame(machine, slots);
    return {
      set: (position, value) => {
        slots[position] = value;
      },
      run: () => {
        machine.reset();
        try {
          const given = result(frame);
          return hasEmit ? machine.takeEmitted() : given;
        } catch (error) {
          throw runtimeError(source, { offset: machine.at, statements }, causeOf(error));
        }
      },
    };
  };
  const { returns } = context;
  return {
    source,
    context,
    bind,
    run: (values) => bind(values).run(),
    vectors: (inputs) => (returns === 'double' || returns === 'boolean' ? vectorProgram(tree, returns, inputs) : null),
  };
}

/** Result of a script that ends without giving one. */
function nothing(type: ScriptType): unknown {
  if (type === 'boolean') return false;
  if (type === 'long') return 0n;
  return isNumeric(type) ? 0 : null;
}

const BAD_REQUEST = 400;

/** @throws what is no failure of the script */
function causeOf(error: unknown): ShoalError {
  if (error instanceof JavaException) return new ShoalError(error.snakeName, BAD_REQUEST, error.text);
  if (isShoalError(error)) return error;
  // Recursion without end, of the script or through a value that holds itself.
  if (error instanceof RangeError) return new ShoalError('stack_overflow_error', BAD_REQUEST, null);
  throw error;
}

interface WholeCompiler extends StatementCompiler {
  readonly functions: Map<string, ScriptFunctionInfo>;
}

function newCompiler(context: ScriptContext): WholeCompiler {
  const compiler: WholeCompiler = {
    functions: new Map(),
    contextFunctions: context.functions,
    statements: [],
    expression: (node, scope) =>
      compileExpression(compiler, node, scope, (lambda, inner) => lambdaBody(compiler, lambda, inner)),
  };
  return compiler;
}

function lambdaBody(compiler: WholeCompiler, { at, body }: LambdaNode, scope: Scope): Run {
  if (body.kind === 'return') {
    // What fails in the expression is told from the parameters on.
    compiler.statements.push(at);
    assert(body.value !== null, 'the body of a lambda is an expression');
    const value = compiler.expression(body.value, scope);
    return value.type === 'void' ? value.run : toDef(coerce(value, 'def')).run;
  }
  return resultOf(block(compiler, body, scope, true), 'def');
}

/** What is returned by the end of a step; where nothing is, what stands for it in the type. */
function resultOf({ run, value }: Step, returns: ScriptType): Run {
  const none = nothing(returns);
  return value ?? ((frame) => (run(frame) === RETURNED ? frame.result : none));
}

function declareFunctions(compiler: WholeCompiler, tree: ScriptTree): void {
  for (const { at, type, name, parameters } of tree.functions) {
    const key = `${name}/${parameters?.length ?? 0}`;
    if (compiler.functions.has(key))
      throw compileFailure(at, `invalid function definition: found duplicate function [${key}].`);
    compiler.functions.set(key, {
      name,
      parameters: (parameters ?? []).map((one) => typeOf(one.type ?? 'def', one.at)),
      returns: typeOf(type, at),
      run: () => null,
      slotCount: 0,
    });
  }
}

function typeOf(written: string, at: number): ScriptType {
  const type = resolveType(written);
  if (type === null) throw compileFailure(at, `Not a type [${written}].`);
  return type;
}

function compileFunction(compiler: WholeCompiler, { at, name, parameters, body }: FunctionNode): void {
  const info = compiler.functions.get(`${name}/${parameters?.length ?? 0}`);
  assert(info !== undefined, `function ${name} is not declared`);
  const fn = new FunctionScope(info.returns);
  const scope = new Scope(fn);
  for (const [i, one] of (parameters ?? []).entries()) scope.declare(one.name, info.parameters[i] ?? 'def', one.at);
  const step = block(compiler, body, scope, true);
  if (!step.returns && info.returns !== 'void') {
    throw compileFailure(at, `not all paths provide a return value for function [${name}]`);
  }
  info.run = resultOf(step, info.returns);
  info.slotCount = fn.slotCount;
}
