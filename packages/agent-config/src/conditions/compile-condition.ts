/**
 * Conditions as closures: the tree is walked once when a pipeline is built, never for an event.
 */

import {
  type EscapeStyle,
  type EventValue,
  type LogEvent,
  parseFieldReference,
  restoreEvent,
} from '@shoal/agent-event';
import { isShoalError, type ShoalError, unreachable } from '@shoal/core';
import type { ArrayNode, CompareOperator, ConditionNode, OperandNode, ValueNode } from '../source/config-tree.ts';
import type { SourceText } from '../source/source-text.ts';
import { areEqual, isIn, isInTexts, isTrue, type MaybeValue, orderOf } from './compare-values.ts';
import { ConditionError } from './condition-error.ts';

export type EventTest = (event: LogEvent) => boolean;

/** A compiled regular expression. Keeps no state between calls. */
export interface TextPattern {
  test(text: string): boolean;
  /** What users should know of it. */
  readonly warning?: string;
}

export interface ConditionContext {
  readonly source: SourceText;
  /** Compiles a regular expression of Ruby's dialect, which conditions are written in. Throws for an invalid one. */
  readonly compileRegex: (source: string) => TextPattern;
  /** A string with escapes and variables replaced; `offset` is where it stands. */
  readonly text: (raw: string, offset: number) => string | readonly string[];
  readonly escapeStyle: EscapeStyle;
  readonly report: (severity: 'error' | 'warning', offset: number, message: string, hint?: string) => void;
}

const NEVER: EventTest = () => false;

/** A condition that never holds stands in for one that was reported as wrong. */
export function compileCondition(node: ConditionNode, context: ConditionContext): EventTest {
  switch (node.kind) {
    case 'logical':
      return combine(node.operator, compileCondition(node.left, context), compileCondition(node.right, context));
    case 'not':
      return negate(compileCondition(node.operand, context));
    case 'truth': {
      const operand = compileOperand(node.operand, context);
      return (event) => isTrue(operand.read(event));
    }
    case 'compare':
      return compileComparison(node, context);
    case 'in':
      return compileIn(node, context);
    case 'match':
      return compileMatch(node, context);
    default:
      return unreachable(node);
  }
}

function combine(operator: 'and' | 'or' | 'xor' | 'nand', left: EventTest, right: EventTest): EventTest {
  switch (operator) {
    case 'and':
      return (event) => left(event) && right(event);
    case 'or':
      return (event) => left(event) || right(event);
    case 'xor':
      return (event) => left(event) !== right(event);
    default:
      return (event) => !(left(event) && right(event));
  }
}

function negate(inner: EventTest): EventTest {
  return (event) => !inner(event);
}

interface Operand {
  readonly read: (event: LogEvent) => MaybeValue;
  /** The same for every event. */
  readonly isConstant: boolean;
}

function compileOperand(node: OperandNode, context: ConditionContext): Operand {
  switch (node.kind) {
    case 'selector':
      return guarded(node, context, () => {
        const reference = parseFieldReference(node.text, context.escapeStyle);
        return { read: (event) => event.get(reference), isConstant: false };
      });
    case 'call':
      context.report('error', node.start, `There is no function ${node.name}(…) in conditions`);
      return constant('');
    case 'regexp':
      context.report('error', node.start, 'A regular expression stands only to the right of =~ and !~');
      return constant('');
    default:
      return constant(constantValue(node, context));
  }
}

function constant(value: EventValue): Operand {
  return { read: () => value, isConstant: true };
}

function constantValue(node: ValueNode, context: ConditionContext): EventValue {
  switch (node.kind) {
    case 'number':
      return exactNumber(node.text);
    case 'bareword':
      return node.text;
    case 'string': {
      const text = context.text(node.text, node.start);
      return typeof text === 'string' ? text : [...text];
    }
    case 'array':
      return node.items.map((item) => constantValue(item, context));
    default:
      context.report('error', node.start, `A ${node.kind} cannot stand in a condition`);
      return null;
  }
}

/** An integer beyond 2^53 stays exact. */
function exactNumber(text: string): number | bigint {
  const value = Number(text);
  return Number.isInteger(value) && !Number.isSafeInteger(value) && !text.includes('.') ? BigInt(text) : value;
}

type CompareNode = Extract<ConditionNode, { readonly kind: 'compare' }>;

function compileComparison(node: CompareNode, context: ConditionContext): EventTest {
  const left = compileOperand(node.left, context);
  const right = compileOperand(node.right, context);
  return fold(node, left.isConstant && right.isConstant, context, compare(node, left, right, context));
}

function compare(node: CompareNode, left: Operand, right: Operand, context: ConditionContext): EventTest {
  if (node.operator === '==') return (event) => areEqual(left.read(event), right.read(event));
  if (node.operator === '!=') return (event) => !areEqual(left.read(event), right.read(event));
  const holds = orderTest(node.operator);
  const position = context.source.position(node.start);
  const source = context.source.text.slice(node.start, node.end);
  return (event) => {
    const a = left.read(event);
    const b = right.read(event);
    const order = orderOf(a, b);
    if (order === null) throw new ConditionError({ position, source, left: a, right: b });
    return holds(order);
  };
}

function orderTest(operator: Exclude<CompareOperator, '==' | '!='>): (order: number) => boolean {
  switch (operator) {
    case '<':
      return (order) => order < 0;
    case '<=':
      return (order) => order <= 0;
    case '>':
      return (order) => order > 0;
    default:
      return (order) => order >= 0;
  }
}

type InNode = Extract<ConditionNode, { readonly kind: 'in' }>;

function compileIn(node: InNode, context: ConditionContext): EventTest {
  const left = compileOperand(node.left, context);
  if (node.right.kind === 'array') warnOfShortList(node.right, context);
  const right = compileOperand(node.right, context);
  const test = membership(left, right);
  const folded = fold(node, left.isConstant && right.isConstant, context, test);
  return node.isNegated ? negate(folded) : folded;
}

function membership(left: Operand, right: Operand): EventTest {
  if (!right.isConstant) return (event) => isIn(left.read(event), right.read(event));
  const container = right.read(EMPTY_EVENT);
  if (Array.isArray(container)) {
    const texts = new Set(container.map((item) => (typeof item === 'object' ? '' : String(item))));
    return (event) => isInTexts(left.read(event), texts);
  }
  return (event) => isIn(left.read(event), container);
}

/** Elsewhere such brackets are a field; who knows that may have meant one. */
function warnOfShortList(list: ArrayNode, context: ConditionContext): void {
  const [only] = list.items;
  if (list.items.length !== 1 || (only?.kind !== 'string' && only?.kind !== 'number')) return;
  const source = context.source.text.slice(list.start, list.end);
  context.report(
    'warning',
    list.start,
    `${source} is read as a list of one; Logstash reads it as a field and never finds it`,
  );
}

type MatchNode = Extract<ConditionNode, { readonly kind: 'match' }>;

function compileMatch(node: MatchNode, context: ConditionContext): EventTest {
  const left = compileOperand(node.left, context);
  const { pattern } = node;
  const raw = pattern.kind === 'regexp' ? pattern.text : context.text(pattern.text, pattern.start);
  if (typeof raw !== 'string') {
    context.report('error', pattern.start, 'A list is no regular expression');
    return NEVER;
  }
  const regex = guardedPattern(raw, pattern.start, context);
  if (regex === null) return NEVER;
  const isMatch: EventTest = (event) => {
    const value = left.read(event);
    return typeof value === 'string' && regex.test(value);
  };
  return node.isNegated ? negate(isMatch) : isMatch;
}

function guardedPattern(raw: string, offset: number, context: ConditionContext): TextPattern | null {
  try {
    const regex = context.compileRegex(raw);
    if (regex.warning !== undefined) context.report('warning', offset, regex.warning);
    return regex;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !isShoalError(error)) throw error;
    context.report('error', offset, `Invalid regular expression: ${error.message}`);
    return null;
  }
}

function guarded(node: OperandNode, context: ConditionContext, make: () => Operand): Operand {
  try {
    return make();
  } catch (error) {
    if (!isShoalError(error)) throw error;
    context.report('error', node.start, (error as ShoalError).message);
    return constant('');
  }
}

const EMPTY_EVENT: LogEvent = restoreEvent(new Map(), new Map());

/** Constants on both sides are compared now, and what cannot be compared is an error now. */
function fold(node: ConditionNode, isConstant: boolean, context: ConditionContext, test: EventTest): EventTest {
  if (!isConstant) return test;
  try {
    const result = test(EMPTY_EVENT);
    return () => result;
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    context.report('error', node.start, 'These two values cannot be compared');
    return NEVER;
  }
}
