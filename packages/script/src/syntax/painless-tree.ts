/**
 * Syntax tree of a painless script, as the generated parser makes it. `at` of every node: its offset in the source.
 */

export interface ScriptTree {
  readonly functions: readonly FunctionNode[];
  readonly statements: readonly StatementNode[];
}

export interface ParameterNode {
  readonly at: number;
  /** null: of a lambda that does not say. */
  readonly type: string | null;
  readonly name: string;
}

export interface FunctionNode {
  readonly at: number;
  readonly type: string;
  readonly name: string;
  readonly parameters: readonly ParameterNode[] | null;
  readonly body: BlockNode;
}

export interface BlockNode {
  readonly kind: 'block';
  readonly at: number;
  readonly list: readonly StatementNode[];
}

export interface CatchNode {
  readonly at: number;
  readonly type: string;
  readonly name: string;
  readonly body: BlockNode;
}

export interface DeclareNode {
  readonly kind: 'declare';
  readonly at: number;
  readonly type: string;
  readonly variables: readonly { readonly at: number; readonly name: string; readonly value: ExpressionNode | null }[];
}

export interface ExpressionsNode {
  readonly kind: 'expressions';
  readonly at: number;
  readonly list: readonly ExpressionNode[];
}

export interface EachNode {
  readonly kind: 'each';
  readonly at: number;
  readonly type: string;
  readonly name: string;
  readonly nameAt: number;
  readonly list: ExpressionNode;
  readonly body: BlockNode;
}

export interface ForNode {
  readonly kind: 'for';
  readonly at: number;
  readonly init: DeclareNode | ExpressionsNode | null;
  readonly test: ExpressionNode | null;
  readonly step: ExpressionsNode | null;
  readonly body: BlockNode | null;
}

export type StatementNode =
  | BlockNode
  | DeclareNode
  | EachNode
  | ForNode
  | {
      readonly kind: 'if';
      readonly at: number;
      readonly test: ExpressionNode;
      readonly then: BlockNode;
      readonly otherwise: BlockNode | null;
    }
  | { readonly kind: 'while'; readonly at: number; readonly test: ExpressionNode; readonly body: BlockNode | null }
  | { readonly kind: 'do'; readonly at: number; readonly test: ExpressionNode; readonly body: BlockNode }
  | { readonly kind: 'try'; readonly at: number; readonly body: BlockNode; readonly catches: readonly CatchNode[] }
  | { readonly kind: 'continue'; readonly at: number }
  | { readonly kind: 'break'; readonly at: number }
  | { readonly kind: 'return'; readonly at: number; readonly value: ExpressionNode | null }
  | { readonly kind: 'throw'; readonly at: number; readonly value: ExpressionNode }
  | { readonly kind: 'expression'; readonly at: number; readonly value: ExpressionNode };

export interface LambdaNode {
  readonly kind: 'lambda';
  readonly at: number;
  readonly parameters: readonly ParameterNode[];
  readonly body: BlockNode | Extract<StatementNode, { kind: 'return' }>;
}

export interface CallNode {
  readonly kind: 'call';
  readonly at: number;
  readonly target: ExpressionNode;
  readonly name: string;
  readonly args: readonly ExpressionNode[] | null;
  readonly isSafe: boolean;
}

export interface FieldNode {
  readonly kind: 'field';
  readonly at: number;
  readonly target: ExpressionNode;
  readonly name: string;
  readonly isSafe: boolean;
}

export interface IndexNode {
  readonly kind: 'index';
  readonly at: number;
  readonly target: ExpressionNode;
  readonly index: ExpressionNode;
}

export interface NumberNode {
  readonly kind: 'number';
  readonly at: number;
  readonly text: string;
  /** Lower case; empty for an int. */
  readonly suffix: string;
  readonly radix: number;
}

export interface BinaryNode {
  readonly kind: 'binary';
  readonly at: number;
  readonly op: string;
  readonly left: ExpressionNode;
  readonly right: ExpressionNode;
}

export interface AssignNode {
  readonly kind: 'assign';
  readonly at: number;
  readonly target: ExpressionNode;
  /** Operator of a compound assignment; empty for a plain one. */
  readonly op: string;
  readonly value: ExpressionNode;
  readonly isAssignable: boolean;
}

export interface StepNode {
  readonly kind: 'step';
  readonly at: number;
  readonly target: ExpressionNode;
  readonly op: '+' | '-';
  readonly isPrefix: boolean;
  readonly isAssignable: boolean;
}

export type ExpressionNode =
  | LambdaNode
  | CallNode
  | FieldNode
  | IndexNode
  | NumberNode
  | BinaryNode
  | AssignNode
  | StepNode
  | { readonly kind: 'instanceof'; readonly at: number; readonly value: ExpressionNode; readonly type: string }
  | { readonly kind: 'unary'; readonly at: number; readonly op: string; readonly value: ExpressionNode }
  | { readonly kind: 'cast'; readonly at: number; readonly type: string; readonly value: ExpressionNode }
  | { readonly kind: 'elvis'; readonly at: number; readonly left: ExpressionNode; readonly right: ExpressionNode }
  | {
      readonly kind: 'ternary';
      readonly at: number;
      readonly test: ExpressionNode;
      readonly then: ExpressionNode;
      readonly otherwise: ExpressionNode;
    }
  | { readonly kind: 'string'; readonly at: number; readonly value: string }
  | { readonly kind: 'regex'; readonly at: number; readonly pattern: string; readonly flags: string }
  | { readonly kind: 'boolean'; readonly at: number; readonly value: boolean }
  | { readonly kind: 'null'; readonly at: number }
  | {
      readonly kind: 'map';
      readonly at: number;
      readonly entries: readonly { readonly key: ExpressionNode; readonly value: ExpressionNode }[];
    }
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly ExpressionNode[] }
  | {
      readonly kind: 'newArray';
      readonly at: number;
      readonly type: string;
      readonly sizes: readonly ExpressionNode[];
      readonly items: readonly ExpressionNode[] | null;
    }
  | {
      readonly kind: 'new';
      readonly at: number;
      readonly type: string;
      readonly args: readonly ExpressionNode[] | null;
    }
  | {
      readonly kind: 'localCall';
      readonly at: number;
      readonly name: string;
      readonly args: readonly ExpressionNode[] | null;
    }
  | { readonly kind: 'name'; readonly at: number; readonly name: string }
  | { readonly kind: 'reference'; readonly at: number; readonly type: string; readonly name: string };

export type NodeOf<K extends ExpressionNode['kind']> = Extract<ExpressionNode, { kind: K }>;
export type StatementOf<K extends StatementNode['kind']> = Extract<StatementNode, { kind: K }>;
