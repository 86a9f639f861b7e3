/**
 * Trees of expressions as functions: all values are doubles, and operators on bits work on longs as Java casts them.
 */
import { assert } from '@shoal/core';
import { EXPRESSION_FUNCTIONS } from './expression-functions.ts';
import type { BinaryOperator, ExpressionNode } from './expression-tree.ts';

/** Value of a variable, by its index in the tree. */
export type VariableReader = (index: number) => number;
export type Evaluate = (read: VariableReader) => number;

const LONG_BITS = 64;
const SHIFT_MASK = 63n;
const LONG_MAX = 2n ** 63n - 1n;

export function evaluator(node: ExpressionNode): Evaluate {
  switch (node.kind) {
    case 'number':
      return () => node.value;
    case 'variable':
      return (read) => read(node.index);
    case 'unary':
      return unary(node.operator, evaluator(node.operand));
    case 'binary':
      return binary(node.operator, evaluator(node.left), evaluator(node.right));
    case 'choice': {
      const [condition, then, otherwise] = [node.condition, node.then, node.otherwise].map(evaluator);
      assert(condition && then && otherwise, 'a choice has three parts');
      return (read) => (condition(read) !== 0 ? then(read) : otherwise(read));
    }
    case 'call': {
      const known = EXPRESSION_FUNCTIONS.get(node.name);
      assert(known !== undefined, `no function ${node.name}`);
      const inputs = node.inputs.map(evaluator);
      return (read) => known.run(...inputs.map((input) => input(read)));
    }
  }
}

function unary(operator: '-' | '+' | '!' | '~', operand: Evaluate): Evaluate {
  switch (operator) {
    case '-':
      return (read) => -operand(read);
    case '+':
      return operand;
    case '!':
      return (read) => (operand(read) === 0 ? 1 : 0);
    case '~':
      return (read) => Number(~toLong(operand(read)));
  }
}

/** Operators that compute both of their sides. */
const NUMERIC: Readonly<Record<Exclude<BinaryOperator, '&&' | '||'>, (a: number, b: number) => number>> = {
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '<': (a, b) => Number(a < b),
  '<=': (a, b) => Number(a <= b),
  '>': (a, b) => Number(a > b),
  '>=': (a, b) => Number(a >= b),
  '==': (a, b) => Number(a === b),
  '!=': (a, b) => Number(a !== b),
  '<<': ofLongs((a, b) => a << (b & SHIFT_MASK)),
  '>>': ofLongs((a, b) => a >> (b & SHIFT_MASK)),
  '>>>': ofLongs((a, b) => BigInt.asUintN(LONG_BITS, a) >> (b & SHIFT_MASK)),
  '&': ofLongs((a, b) => a & b),
  '^': ofLongs((a, b) => a ^ b),
  '|': ofLongs((a, b) => a | b),
};

function binary(operator: BinaryOperator, left: Evaluate, right: Evaluate): Evaluate {
  if (operator === '&&') return (read) => (left(read) !== 0 && right(read) !== 0 ? 1 : 0);
  if (operator === '||') return (read) => (left(read) !== 0 || right(read) !== 0 ? 1 : 0);
  const run = NUMERIC[operator];
  return (read) => run(left(read), right(read));
}

function ofLongs(run: (a: bigint, b: bigint) => bigint): (a: number, b: number) => number {
  return (a, b) => Number(BigInt.asIntN(LONG_BITS, run(toLong(a), toLong(b))));
}

/** A double as Java casts it: towards 0, to the nearest long, and 0 for what is no number. */
function toLong(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= Number(LONG_MAX)) return LONG_MAX;
  if (value <= -Number(LONG_MAX)) return -LONG_MAX - 1n;
  return BigInt(Math.trunc(value));
}
