/**
 * Text of an expression to its tree: operators of JavaScript over numbers, functions of them, and variables.
 *
 * The grammar and the texts of its errors are those of the module "expressions" of Lucene.
 */
import type { CompileFailure } from '../errors/script-error.ts';
import { expressionFailure, placeOf } from './expression-errors.ts';
import { EXPRESSION_FUNCTIONS } from './expression-functions.ts';
import { type ExpressionToken, expressionTokens, type NameToken } from './expression-tokens.ts';
import type {
  BinaryOperator,
  ExpressionNode,
  ExpressionTree,
  ExpressionVariable,
  UnaryOperator,
} from './expression-tree.ts';

/** Operators from those that bind least to those that bind most. */
const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['<<', '>>', '>>>'],
  ['+', '-'],
  ['*', '/', '%'],
];
const BINARY: readonly BinaryOperator[] = LEVELS.flat();
const UNARY: readonly UnaryOperator[] = ['-', '+', '!', '~'];
/** Deepest nesting: an expression is computed by as many calls within each other. */
const DEPTH_MAX = 1_000;

/** @throws CompileFailure with the place that breaks the grammar */
export function parseExpression(source: string): ExpressionTree {
  return new ExpressionParser(source).whole();
}

class ExpressionParser {
  readonly #source: string;
  readonly #tokens: readonly ExpressionToken[];
  readonly #variables = new Map<string, ExpressionVariable>();
  #next = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = expressionTokens(source);
  }

  whole(): ExpressionTree {
    const root = this.#choice();
    if (this.#token.kind !== 'end') throw this.#unexpected('<EOF>');
    return { root, variables: [...this.#variables.values()] };
  }

  get #token(): ExpressionToken {
    return this.#tokens[Math.min(this.#next, this.#tokens.length - 1)] as ExpressionToken;
  }

  #takes(sign: string): boolean {
    const { kind, text } = this.#token;
    if (kind !== 'sign' || text !== sign) return false;
    this.#next++;
    return true;
  }

  #takesOneOf<O extends string>(signs: readonly O[]): O | null {
    return signs.find((sign) => this.#takes(sign)) ?? null;
  }

  #choice(): ExpressionNode {
    this.#deeper();
    const condition = this.#binary(0);
    let node = condition;
    if (this.#takes('?')) {
      const then = this.#choice();
      if (!this.#takes(':')) throw this.#unexpected('COLON');
      node = { kind: 'choice', condition, then, otherwise: this.#choice() };
    }
    this.#depth--;
    return node;
  }

  /** Operators of a level and of those that bind more. */
  #binary(least: number): ExpressionNode {
    let left = this.#unary();
    let length = 0;
    for (;;) {
      const operator = BINARY.find((sign) => sign === this.#token.text) ?? null;
      const level = operator === null ? -1 : LEVELS.findIndex((operators) => operators.includes(operator));
      if (operator === null || level < least || this.#token.kind !== 'sign') break;
      this.#next++;
      this.#deeper();
      length++;
      left = { kind: 'binary', operator, left, right: this.#binary(level + 1) };
    }
    this.#depth -= length;
    return left;
  }

  #unary(): ExpressionNode {
    const operator = this.#takesOneOf(UNARY);
    if (operator === null) return this.#primary();
    this.#deeper();
    const operand = this.#unary();
    this.#depth--;
    return { kind: 'unary', operator, operand };
  }

  #primary(): ExpressionNode {
    const token = this.#token;
    if (this.#takes('(')) {
      const inner = this.#choice();
      this.#close();
      return inner;
    }
    if (token.kind === 'end') {
      throw expressionFailure(token.at, 'unexpected end of expression', 'no_viable_alt_exception');
    }
    if (token.kind === 'sign') {
      const place = placeOf(this.#source, token.at);
      const reason = `invalid sequence of tokens near '${token.text}' ${place}`;
      throw expressionFailure(token.at, reason, 'no_viable_alt_exception');
    }
    this.#next++;
    return token.kind === 'number' ? { kind: 'number', value: token.value } : this.#named(token);
  }

  #named(token: NameToken): ExpressionNode {
    if (!this.#takes('(')) return this.#variable(token, false);
    const known = EXPRESSION_FUNCTIONS.get(token.text);
    const inputs = this.#inputs();
    const hasMembers = token.parts.slice(1).some(({ kind }) => kind === 'member');
    if (known === undefined && inputs.length === 0 && hasMembers) return this.#variable(token, true);
    if (known === undefined) throw this.#invalid(token, `Unrecognized function call (${token.text}).`);
    if (known.arity !== inputs.length) {
      const counts = `Expected (${known.arity}) arguments for function call (${token.text}), but found (${inputs.length}).`;
      throw this.#invalid(token, counts);
    }
    return { kind: 'call', name: token.text, inputs };
  }

  #inputs(): readonly ExpressionNode[] {
    const inputs: ExpressionNode[] = [];
    const { kind, text } = this.#token;
    const beginsInput = kind === 'number' || kind === 'name' || text === '(' || UNARY.some((sign) => sign === text);
    if (beginsInput) {
      do inputs.push(this.#choice());
      while (this.#takes(','));
    }
    this.#close();
    return inputs;
  }

  #close(): void {
    if (!this.#takes(')')) throw this.#unexpected('RP');
  }

  #variable({ text: written, parts }: NameToken, isCalled: boolean): ExpressionNode {
    const text = isCalled ? `${written}()` : written;
    if (!this.#variables.has(text)) this.#variables.set(text, { text, parts, isCalled });
    return { kind: 'variable', index: [...this.#variables.keys()].indexOf(text) };
  }

  #deeper(): void {
    if (++this.#depth > DEPTH_MAX) {
      throw expressionFailure(this.#token.at, `the expression is nested deeper than [${DEPTH_MAX}]`);
    }
  }

  #unexpected(wanted: string): CompileFailure {
    const { at, text } = this.#token;
    const place = placeOf(this.#source, at);
    return expressionFailure(at, `unexpected token '${text}' ${place} was expecting one of ${wanted}`);
  }

  #invalid({ at }: NameToken, reason: string): CompileFailure {
    return expressionFailure(at, `Invalid expression '${this.#source}': ${reason}`);
  }
}
