/**
 * Tree of a Ruby script, as the grammar builds it. `at` is an offset in the script's text.
 */

export interface Located {
  readonly at: number;
}

type Kind<Name extends string, Fields = object> = Located & { readonly kind: Name } & Readonly<Fields>;

export type RubyNode =
  | Kind<'nil'>
  | Kind<'true'>
  | Kind<'false'>
  | Kind<'self'>
  | Kind<'retry'>
  | Kind<'integer', { value: number | bigint }>
  | Kind<'float', { value: number }>
  | Kind<'string', { value: string }>
  | Kind<'symbol', { name: string }>
  | Kind<'symbolOf', { value: RubyNode }>
  | Kind<'interpolation', { parts: readonly (string | RubyNode)[] }>
  | Kind<'regex', { parts: readonly (string | RubyNode)[]; flags: string }>
  | Kind<'array', { items: readonly RubyNode[] }>
  | Kind<'hash', { pairs: readonly RubyNode[] }>
  | Kind<'pair', { key: RubyNode; value: RubyNode }>
  | Kind<'splat', { value: RubyNode }>
  | Kind<'doubleSplat', { value: RubyNode }>
  | Kind<'blockPass', { value: RubyNode }>
  | Kind<'range', { from: RubyNode; to: RubyNode | null; isExclusive: boolean }>
  | Kind<'variable', { name: string }>
  | Kind<'instanceVariable', { name: string }>
  | Kind<'classVariable', { name: string }>
  | Kind<'globalVariable', { name: string }>
  | Kind<'constant', { name: string }>
  | CallNode
  | BlockNode
  | Kind<'lambda', { block: BlockNode }>
  | Kind<'assign', { target: RubyNode; op: string; value: RubyNode }>
  | Kind<'multipleAssign', { targets: readonly RubyNode[]; value: RubyNode }>
  /** Targets in brackets: they share one item of the list. */
  | Kind<'group', { targets: readonly RubyNode[] }>
  | Kind<'and', { left: RubyNode; right: RubyNode }>
  | Kind<'or', { left: RubyNode; right: RubyNode }>
  | Kind<'not', { value: RubyNode }>
  | Kind<'defined', { value: RubyNode }>
  | Kind<'if', { test: RubyNode; then: RubyNode | null; otherwise: RubyNode | null }>
  | Kind<'while', { test: RubyNode; body: RubyNode; isTestedLast: boolean }>
  | Kind<'for', { names: readonly string[]; list: RubyNode; body: RubyNode }>
  | CaseNode
  | BeginNode
  | Kind<'def', { name: string; params: readonly Parameter[]; body: RubyNode }>
  | Kind<'return', { value: RubyNode | null }>
  | Kind<'next', { value: RubyNode | null }>
  | Kind<'break', { value: RubyNode | null }>
  | Kind<'yield', { args: readonly RubyNode[] }>
  | Kind<'sequence', { list: readonly RubyNode[] }>;

export type NodeOf<Name extends RubyNode['kind']> = Extract<RubyNode, { kind: Name }>;

export type CallNode = Kind<
  'call',
  {
    /** null for a call of the script's own methods and of those that every object has. */
    receiver: RubyNode | null;
    name: string;
    args: readonly RubyNode[];
    block: BlockNode | null;
    /** Written with `&.`: nil answers nil. */
    isSafe: boolean;
  }
>;

export type BlockNode = Kind<'block', { params: readonly Parameter[]; hasParams: boolean; body: RubyNode }>;

export type CaseNode = Kind<
  'case',
  {
    subject: RubyNode | null;
    whens: readonly { readonly tests: readonly RubyNode[]; readonly body: RubyNode }[];
    otherwise: RubyNode | null;
  }
>;

export type BeginNode = Kind<
  'begin',
  {
    body: RubyNode;
    rescues: readonly RescueClause[];
    otherwise: RubyNode | null;
    ensure: RubyNode | null;
  }
>;

export interface RescueClause {
  /** Empty for StandardError. */
  readonly classes: readonly RubyNode[];
  readonly target: RubyNode | null;
  readonly body: RubyNode;
}

export type Parameter =
  | { readonly kind: 'required' | 'block' | 'local'; readonly name: string }
  | { readonly kind: 'rest' | 'restKeywords'; readonly name: string | null }
  | { readonly kind: 'optional'; readonly name: string; readonly value: RubyNode }
  | { readonly kind: 'keyword'; readonly name: string; readonly value: RubyNode | null }
  | { readonly kind: 'pattern'; readonly list: readonly Parameter[] };
