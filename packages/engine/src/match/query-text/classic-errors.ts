/**
 * What is wrong with a text of Lucene's classic query language, in the words of its parser.
 */
import { ShoalError } from '@shoal/core';
import { type CompileContext, queryTextShardError } from '../context/compile-context.ts';
import type { Token, TokenKind } from './classic-tokens.ts';

/** 400: the shard cannot read the text; `parsed` is what it becomes where operators are escaped, `cause` says why. */
export function queryTextError(ctx: CompileContext, text: string, parsed: string, cause: ShoalError): ShoalError {
  const why = new ShoalError('parse_exception', 400, `Cannot parse '${parsed}': ${cause.reason}`, { causedBy: cause });
  return queryTextShardError(ctx.shard, `Failed to parse query [${text}]`, why);
}

export function syntaxError(reason: string): ShoalError {
  return new ShoalError('parse_exception', 400, reason);
}

/** A token where the grammar has none, or no token at all. */
export function unexpected(token: Token, text: string, expected: readonly string[]): ShoalError {
  if (token.kind === 'invalid') return lexicalError(token, text);
  const found = token.kind === 'end' ? '<EOF>' : ` ${name(token)} "${escaped(token.image)} "`;
  const wanted = expected.map((one) => `    ${one}\n`).join('');
  const was = expected.length === 1 ? 'Was expecting:' : 'Was expecting one of:';
  return syntaxError(`Encountered "${found}" at line 1, column ${token.at}.\n${was}\n${wanted}    `);
}

const MODE_NUMBERS = { boost: 0, range: 1, plain: 2 } as const;

function lexicalError({ at, image, mode }: Token, text: string): ShoalError {
  const end = at + image.length;
  const isEnd = end >= text.length;
  const prefix = isEnd && image.length > 1 ? ` after prefix "${escaped(image)}"` : '';
  const code = text.charCodeAt(at);
  const found = isEnd ? `<EOF>${prefix}` : `'${code}' (${code}),`;
  const state = mode === 'boost' ? '' : ` (in lexical state ${MODE_NUMBERS[mode]})`;
  const column = isEnd ? text.length + 1 : at + 1;
  const reason = `Lexical error at line 1, column ${column}.  Encountered: ${found}${state}`;
  return new ShoalError('token_mgr_error', 400, reason);
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

const NAMES: Readonly<Record<Exclude<TokenKind, 'rangeOpen' | 'rangeClose'>, string>> = {
  end: '<EOF>',
  and: '<AND>',
  or: '<OR>',
  not: '<NOT>',
  plus: '"+"',
  minus: '"-"',
  bareOperator: '<BAREOPER>',
  open: '"("',
  close: '")"',
  colon: '":"',
  star: '"*"',
  caret: '"^"',
  quoted: '<QUOTED>',
  term: '<TERM>',
  tilde: '<FUZZY_SLOP>',
  prefix: '<PREFIXTERM>',
  wildcard: '<WILDTERM>',
  regexp: '<REGEXPTERM>',
  rangeTo: '"TO"',
  rangeQuoted: '<RANGE_QUOTED>',
  rangeWord: '<RANGE_GOOP>',
  number: '<NUMBER>',
  invalid: '<EOF>',
};

function name({ kind, image }: Token): string {
  return kind === 'rangeOpen' || kind === 'rangeClose' ? `"${image}"` : NAMES[kind];
}

const VALUES: readonly string[] = [
  '<BAREOPER> ...',
  '"(" ...',
  '"*" ...',
  '<QUOTED> ...',
  '<TERM> ...',
  '<PREFIXTERM> ...',
  '<WILDTERM> ...',
  '<REGEXPTERM> ...',
  '"[" ...',
  '"{" ...',
  '<NUMBER> ...',
];

const BEHIND_VALUE = VALUES.flatMap((one) => {
  if (one === '"*" ...') return [one, '"^" ...'];
  return one === '<TERM> ...' ? [one, '<FUZZY_SLOP> ...'] : [one];
});
const OPERATORS = ['<AND> ...', '<OR> ...', '<NOT> ...', '"+" ...', '"-" ...'];
const MODIFIERS = ['<NOT> ...', '"+" ...', '"-" ...'];
const WORDS = ['<TERM> ...', '"*" ...'];

type GrammarPoint =
  | 'first'
  | 'clause'
  | 'modified'
  | 'value'
  | 'operator'
  | 'close'
  | 'boost'
  | 'rangeEnd'
  | 'rangeTo'
  | 'rangeClose';

/** What may stand at each point of the grammar, with the repetitions of the parser that users know. */
export const EXPECTED: Readonly<Record<GrammarPoint, readonly string[]>> = {
  first: [...MODIFIERS, ...VALUES, '<TERM> ...'],
  clause: [...MODIFIERS, ...VALUES, ...WORDS],
  modified: [...VALUES, ...WORDS],
  value: VALUES,
  operator: ['<EOF> ', ...OPERATORS, ...BEHIND_VALUE],
  close: [...OPERATORS, ...BEHIND_VALUE.flatMap((one) => (one === '"(" ...' ? [one, '")" ...'] : [one]))],
  boost: ['<NUMBER> ...'],
  rangeEnd: ['"TO" ...', '<RANGE_QUOTED> ...', '<RANGE_GOOP> ...'],
  rangeTo: ['"TO" ...'],
  rangeClose: ['"]" ...', '"}" ...'],
};
