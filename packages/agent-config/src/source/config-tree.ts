/**
 * A configuration as a tree. Every node knows where its text starts and ends: for errors, ids, coverage and reports.
 */
import type { SourceText } from './source-text.ts';

export interface ConfigTree {
  readonly sections: readonly SectionNode[];
  /** The text that offsets of nodes are in, with its files. */
  readonly source: SourceText;
}

interface Span {
  /** Offset of the first character. */
  readonly start: number;
  /** Offset behind the last one. */
  readonly end: number;
}

export type SectionName = 'input' | 'filter' | 'output';

export interface SectionNode extends Span {
  readonly kind: 'section';
  readonly name: SectionName;
  readonly body: readonly StatementNode[];
}

export type StatementNode = PluginNode | BranchNode;

export interface BranchNode extends Span {
  readonly kind: 'branch';
  /** `if` and every `else if`; at least one. */
  readonly arms: readonly BranchArm[];
  /** null without `else`. */
  readonly otherwise: readonly StatementNode[] | null;
}

export interface BranchArm extends Span {
  readonly condition: ConditionNode;
  readonly body: readonly StatementNode[];
}

export interface PluginNode extends Span {
  readonly kind: 'plugin';
  readonly name: NameNode;
  readonly attributes: readonly AttributeNode[];
}

export interface AttributeNode extends Span {
  readonly name: NameNode;
  readonly value: ValueNode;
}

/** A bare name or a string. */
export type NameNode = BarewordNode | StringNode;

export interface BarewordNode extends Span {
  readonly kind: 'bareword';
  readonly text: string;
}

export interface StringNode extends Span {
  readonly kind: 'string';
  /** Between the quotes, backslashes as they are written. */
  readonly text: string;
}

export interface NumberNode extends Span {
  readonly kind: 'number';
  readonly text: string;
}

export interface ArrayNode extends Span {
  readonly kind: 'array';
  readonly items: readonly ValueNode[];
}

export interface HashNode extends Span {
  readonly kind: 'hash';
  readonly entries: readonly HashEntry[];
}

export interface HashEntry extends Span {
  readonly name: NameNode | NumberNode;
  readonly value: ValueNode;
}

export type ValueNode = PluginNode | BarewordNode | StringNode | NumberNode | ArrayNode | HashNode;

export type ConditionNode =
  | (Span & {
      readonly kind: 'logical';
      readonly operator: 'and' | 'or' | 'xor' | 'nand';
      readonly left: ConditionNode;
      readonly right: ConditionNode;
    })
  | (Span & { readonly kind: 'not'; readonly operand: ConditionNode })
  | (Span & {
      readonly kind: 'compare';
      readonly operator: CompareOperator;
      readonly left: OperandNode;
      readonly right: OperandNode;
    })
  | (Span & {
      readonly kind: 'in';
      readonly isNegated: boolean;
      readonly left: OperandNode;
      readonly right: OperandNode;
    })
  | (Span & {
      readonly kind: 'match';
      readonly isNegated: boolean;
      readonly left: OperandNode;
      readonly pattern: StringNode | RegexpNode;
    })
  | (Span & { readonly kind: 'truth'; readonly operand: OperandNode });

export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

export interface SelectorNode extends Span {
  readonly kind: 'selector';
  /** With its brackets. */
  readonly text: string;
}

export interface RegexpNode extends Span {
  readonly kind: 'regexp';
  /** Between the slashes; `\/` as it is written. */
  readonly text: string;
}

export interface CallNode extends Span {
  readonly kind: 'call';
  readonly name: string;
}

export type OperandNode = StringNode | NumberNode | SelectorNode | ArrayNode | CallNode | RegexpNode;
