/**
 * `fuzzy`: documents that hold a term within a few edits of a given one.
 */
import { illegalArgument, type JsonMember, type JsonNode, parsingException, tokenName } from '@shoal/core';
import { readFieldMember } from '../../members/field-member.ts';
import {
  readBoolean,
  readInteger,
  readNumber,
  readQueryValue,
  readString,
  unsupported,
} from '../../members/request-values.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, type QueryValue, readBase, readValue, readWhole } from '../../node/query-node.ts';

export interface FuzzyQuery extends QueryNode {
  readonly kind: 'fuzzy';
  readonly field: string;
  readonly value: QueryValue;
  readonly fuzziness: string;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly hasTranspositions: boolean;
  readonly rewrite: string | null;
}

function parseFuzzy(node: JsonNode, query: string): FuzzyQuery {
  const { field, value: given, boost: outerBoost, name: outerName } = readFieldMember(node, query);
  const fuzzy = {
    fuzziness: 'AUTO',
    prefixLength: 0,
    maxExpansions: 50,
    hasTranspositions: true,
    rewrite: null as string | null,
  };
  let value: QueryValue = null;
  let boost = outerBoost;
  let name = outerName;
  if (given.kind !== 'object') value = readQueryValue(given, query);
  else {
    for (const member of given.members) {
      refuseStructure(query, member);
      if (member.name === 'value' || member.name === 'term') value = readQueryValue(member.value, query);
      else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
      else if (member.name === '_name') name = readString(member.value, '_name');
      else if (member.name === 'fuzziness') fuzzy.fuzziness = readString(member.value, member.name);
      else if (member.name === 'prefix_length') fuzzy.prefixLength = readInteger(member.value, member.name);
      else if (member.name === 'max_expansions') fuzzy.maxExpansions = readInteger(member.value, member.name);
      else if (member.name === 'transpositions') fuzzy.hasTranspositions = readBoolean(member.value, member.name);
      else if (member.name === 'rewrite') fuzzy.rewrite = readString(member.value, member.name);
      else throw unsupported(query, member);
    }
  }
  if (value === null) throw illegalArgument('query value cannot be null');
  return { kind: 'fuzzy', field, value, ...fuzzy, boost, name };
}

/** 400: members of a fuzzy word are plain values. */
function refuseStructure(query: string, { name, value }: JsonMember): void {
  if (value.kind !== 'object' && value.kind !== 'array') return;
  throw parsingException(`[${query}] unexpected token [${tokenName(value)}] after [${name}]`, value.at);
}

export const fuzzy: QueryKind<FuzzyQuery> = {
  kind: 'fuzzy',
  parse: parseFuzzy,
  read: (r) => ({
    kind: 'fuzzy',
    field: r.string('field'),
    value: readValue(r, 'value'),
    fuzziness: r.string('fuzziness'),
    prefixLength: readWhole(r, 'prefixLength'),
    maxExpansions: readWhole(r, 'maxExpansions'),
    hasTranspositions: r.boolean('hasTranspositions'),
    rewrite: r.optionalString('rewrite'),
    ...readBase(r),
  }),
  inner: noInner,
};
