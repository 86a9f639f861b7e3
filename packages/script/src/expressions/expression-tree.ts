/**
 * Syntax trees of expressions.
 */
import type { NamePart } from './expression-tokens.ts';

export type UnaryOperator = '-' | '+' | '!' | '~';
export type BinaryOperator =
  | '*'
  | '/'
  | '%'
  | '+'
  | '-'
  | '<<'
  | '>>'
  | '>>>'
  | '<'
  | '<='
  | '>'
  | '>='
  | '=='
  | '!='
  | '&'
  | '^'
  | '|'
  | '&&'
  | '||';

export type ExpressionNode =
  | { readonly kind: 'number'; readonly value: number }
  /** `index`: among the variables of the expression. */
  | { readonly kind: 'variable'; readonly index: number }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: ExpressionNode }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: ExpressionNode;
      readonly right: ExpressionNode;
    }
  | {
      readonly kind: 'choice';
      readonly condition: ExpressionNode;
      readonly then: ExpressionNode;
      readonly otherwise: ExpressionNode;
    }
  | { readonly kind: 'call'; readonly name: string; readonly inputs: readonly ExpressionNode[] };

/** A name that stands for a number. */
export interface ExpressionVariable {
  /** The whole name with single quotes and without spaces. */
  readonly text: string;
  readonly parts: readonly NamePart[];
  /** The last part is called: `doc['price'].min()`. */
  readonly isCalled: boolean;
}

export interface ExpressionTree {
  readonly root: ExpressionNode;
  /** Each one once. */
  readonly variables: readonly ExpressionVariable[];
}
