/**
 * What prefix, wildcard and regexp share: terms of a field found by a pattern.
 */
import { ALL_REGEXP_OPERATORS, REGEXP_STATES_DEFAULT, type RegexpOperators } from '@shoal/automata';
import { illegalArgument, type JsonMember, type JsonNode } from '@shoal/core';
import { readFieldMember } from '../../members/field-member.ts';
import { readBoolean, readInteger, readNumber, readString, unsupported } from '../../members/request-values.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase, readWhole } from '../../node/query-node.ts';
import { parseRegexpFlags, readRegexpOperators, regexpOperatorsOfBits } from './regexp-flags.ts';

/** Kinds of patterns, under the names that requests give them. */
export type PatternKind = 'prefix' | 'wildcard' | 'regexp';

export interface PatternQuery extends QueryNode {
  readonly kind: PatternKind;
  readonly field: string;
  readonly value: string;
  readonly isCaseInsensitive: boolean;
  /** How its terms are scored, as written; null: all alike. */
  readonly rewrite: string | null;
  /** Operators that a regular expression may use. */
  readonly operators: RegexpOperators;
  /** States that a regular expression may take. */
  readonly statesMax: number;
}

export function patternKind(kind: PatternKind): QueryKind<PatternQuery> {
  return {
    kind,
    parse: (node) => parsePattern(node, kind),
    read: (r) => ({
      kind,
      field: r.string('field'),
      value: r.string('value'),
      isCaseInsensitive: r.boolean('isCaseInsensitive'),
      rewrite: r.optionalString('rewrite'),
      operators: readRegexpOperators(r.object('operators')),
      statesMax: readWhole(r, 'statesMax'),
      ...readBase(r),
    }),
    inner: noInner,
  };
}

function parsePattern(node: JsonNode, kind: PatternKind): PatternQuery {
  const { field, value: given, boost, name } = readFieldMember(node, kind);
  const pattern = patternQuery(kind, field, null, { boost, name });
  if (given.kind !== 'object') pattern.value = readString(given, kind);
  else for (const member of given.members) parsePatternMember(pattern, member, kind);
  const { value } = pattern;
  if (value === null) throw illegalArgument('value cannot be null');
  return { ...pattern, value };
}

type PatternParts = ReturnType<typeof patternQuery<null>>;

function patternQuery<V extends string | null>(
  kind: PatternKind,
  field: string,
  value: V,
  { boost, name }: { readonly boost: number; readonly name: string | null },
): { -readonly [K in keyof PatternQuery]: K extends 'value' ? string | V : PatternQuery[K] } {
  const operators = ALL_REGEXP_OPERATORS;
  const statesMax = REGEXP_STATES_DEFAULT;
  return { kind, field, value, isCaseInsensitive: false, rewrite: null, operators, statesMax, boost, name };
}

/** A pattern without any options. */
export function plainPattern(kind: PatternKind, field: string, value: string): PatternQuery {
  return patternQuery(kind, field, value, { boost: 1, name: null });
}

function parsePatternMember(pattern: PatternParts, member: JsonMember, query: PatternKind): void {
  const { name, value } = member;
  if (name === 'value' || name === query) pattern.value = readString(value, query);
  else if (name === 'boost') pattern.boost = readNumber(value, 'boost');
  else if (name === '_name') pattern.name = readString(value, '_name');
  else if (name === 'case_insensitive') pattern.isCaseInsensitive = readBoolean(value, name);
  else if (name === 'rewrite') pattern.rewrite = value.kind === 'null' ? null : readString(value, name);
  else if (query !== 'regexp') throw unsupported(query, member);
  else if (name === 'flags') pattern.operators = parseRegexpFlags(readString(value, name));
  else if (name === 'flags_value') pattern.operators = regexpOperatorsOfBits(readInteger(value, name));
  else if (name === 'max_determinized_states') pattern.statesMax = readInteger(value, name);
  else throw unsupported(query, member);
}
