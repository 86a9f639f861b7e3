/**
 * Expressions as programs: in contexts that want a number or a decision, over the parameters, a document, its score or a value.
 */
import { illegalArgument, isShoalError, ShoalError } from '@shoal/core';
import { CompileFailure } from '../errors/script-error.ts';
import type { ScriptSource } from '../errors/script-source.ts';
import { documentVariable } from '../expressions/document-variables.ts';
import { evaluator } from '../expressions/evaluate-expression.ts';
import { expressionCompileError, linkError, UnknownVariable } from '../expressions/expression-errors.ts';
import type { ExpressionVariable } from '../expressions/expression-tree.ts';
import { parseExpression } from '../expressions/parse-expression.ts';
import { DocumentFields } from '../library/document-values.ts';
import { JavaDateTime } from '../time/instants.ts';
import { JavaMap } from '../values/java-map.ts';
import { textOf } from '../values/java-text.ts';
import type { BoundProgram, ScriptProgram } from './compile-script.ts';
import { scriptNumber } from './result-values.ts';
import {
  AGGREGATION_CONTEXT,
  BUCKET_AGGREGATION_CONTEXT,
  BUCKET_SELECTOR_CONTEXT,
  FIELD_CONTEXT,
  FILTER_CONTEXT,
  NUMBER_SORT_CONTEXT,
  SCORE_CONTEXT,
  type ScriptContext,
  TERMS_SET_CONTEXT,
} from './script-context.ts';

/** Name of the language. */
export const EXPRESSION = 'expression';

const INTERNAL = 500;

/** Contexts that an expression runs in. */
export const EXPRESSION_CONTEXTS: readonly ScriptContext[] = [
  ...[BUCKET_SELECTOR_CONTEXT, AGGREGATION_CONTEXT, BUCKET_AGGREGATION_CONTEXT, FIELD_CONTEXT, FILTER_CONTEXT],
  ...[NUMBER_SORT_CONTEXT, SCORE_CONTEXT, TERMS_SET_CONTEXT],
];

/** @throws ShoalError `script_exception` "compile error", or `illegal_argument_exception` for a context of other scripts */
export function compileExpressionScript(source: ScriptSource, context: ScriptContext): ScriptProgram {
  if (!EXPRESSION_CONTEXTS.includes(context)) {
    throw illegalArgument(`expression engine does not know how to handle script context [${context.name}]`);
  }
  const { root, variables } = parsed(source);
  const evaluate = evaluator(root);
  const link = isOfBuckets(context) ? bucketVariables : documentVariables;
  const result = resultIn(context);
  const bind = (values: readonly unknown[]): BoundProgram => {
    const bound = [...values];
    const known = new BoundVariables(source, context, bound);
    let readers = link(known, variables);
    return {
      set: (position, value) => {
        bound[position] = value;
        // Parameters and fields of documents are looked up once; scores and values are read by each run.
        if (value instanceof JavaMap) readers = link(known, variables);
      },
      run: () => result(evaluate((index) => readers[index]?.() ?? 0)),
    };
  };
  return { source, context, bind, run: (values) => bind(values).run(), vectors: () => null };
}

function parsed(source: ScriptSource): ReturnType<typeof parseExpression> {
  try {
    return parseExpression(source.text);
  } catch (error) {
    if (error instanceof CompileFailure) throw expressionCompileError(source, error);
    throw error;
  }
}

function isOfBuckets(context: ScriptContext): boolean {
  return context === BUCKET_AGGREGATION_CONTEXT || context === BUCKET_SELECTOR_CONTEXT;
}

/** A selector keeps the buckets of 1 alone; a filter the documents of all but 0. */
function resultIn(context: ScriptContext): (value: number) => unknown {
  if (context === BUCKET_SELECTOR_CONTEXT) return (value) => value === 1;
  return context === FILTER_CONTEXT ? (value) => value !== 0 : (value) => value;
}

/** The variables of the context with their present values. */
class BoundVariables {
  readonly source: ScriptSource;
  readonly #names: readonly string[];
  readonly #values: readonly unknown[];

  constructor(source: ScriptSource, context: ScriptContext, values: readonly unknown[]) {
    this.source = source;
    this.#names = context.variables.map(({ name }) => name);
    this.#values = values;
  }

  get params(): JavaMap {
    const params = this.get('params');
    return params instanceof JavaMap ? params : new JavaMap();
  }

  has(name: string): boolean {
    return this.#names.includes(name);
  }

  get(name: string): unknown {
    return this.#values[this.#names.indexOf(name)];
  }
}

type Readers = readonly (() => number)[];

function documentVariables(bound: BoundVariables, variables: readonly ExpressionVariable[]): Readers {
  return variables.map((variable) => {
    try {
      return oneVariable(bound, variable);
    } catch (error) {
      const { source } = bound;
      if (error instanceof UnknownVariable) throw linkError(source, variable.text, error.offset, error.failure);
      if (isShoalError(error)) throw linkError(source, variable.text, 0, error);
      throw error;
    }
  });
}

function oneVariable(bound: BoundVariables, variable: ExpressionVariable): () => number {
  const { text } = variable;
  if ((text === '_score' || text === '_value') && bound.has(text)) return () => givenNumber(bound, text);
  if (bound.params.has(text)) {
    const number = scriptNumber(bound.params.get(text));
    if (number === null) throw new UnknownVariable(`Parameter [${text}] must be a numeric type`);
    return () => number;
  }
  const doc = bound.get('doc');
  return documentVariable(variable, doc instanceof DocumentFields ? doc : new DocumentFields(() => null));
}

/** The score, or the value that a script makes another one of. */
function givenNumber(bound: BoundVariables, name: string): number {
  const value = bound.get(name);
  if (value === null || value === undefined) return 0;
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof JavaDateTime) return value.ms;
  const number = scriptNumber(value);
  if (number !== null) return number;
  const reason = `Cannot use expression with text variable using ${bound.source.text}`;
  throw new ShoalError('general_script_exception', INTERNAL, reason);
}

/** Values of a bucket, and parameters: each must be a variable of the expression, of which those that are not given are 0. */
function bucketVariables({ source, params }: BoundVariables, variables: readonly ExpressionVariable[]): Readers {
  const numbers = new Map(variables.map(({ text }) => [text, 0]));
  for (const [key, value] of params.entries()) {
    const name = textOf(key);
    if (!numbers.has(name)) {
      throw illegalArgument(
        `Error using ${source.text}. The variable [${name}] does not exist in the executable expressions script.`,
      );
    }
    const number = scriptNumber(value);
    if (number === null) {
      throw illegalArgument(
        `Error using ${source.text}. Executable expressions scripts can only process numbers.  The variable [${name}] is not a number.`,
      );
    }
    numbers.set(name, number);
  }
  return variables.map(
    ({ text }) =>
      () =>
        numbers.get(text) ?? 0,
  );
}
