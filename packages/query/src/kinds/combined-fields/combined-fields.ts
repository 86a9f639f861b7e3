/**
 * `combined_fields`: one text looked for in several fields as if their words stood in one.
 */
import { illegalArgument, type JsonMember, type JsonNode, parsingException } from '@shoal/core';
import { type BoostedField, parseBoostedField, readBoostedFields } from '../../members/boosted-fields.ts';
import { readField, unknownField } from '../../members/content-errors.ts';
import {
  type FullTextOptions,
  fullTextDefaults,
  OPERATORS,
  parseFullTextOption,
  ZERO_TERMS,
} from '../../members/full-text-options.ts';
import { readNumber, readObject, readString, readStrings } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface CombinedFieldsQuery
  extends QueryNode,
    Pick<FullTextOptions, 'operator' | 'minimumShouldMatch' | 'zeroTerms' | 'phrasesSynonyms'> {
  readonly kind: 'combinedFields';
  readonly value: string;
  /** Boosts are at least 1. */
  readonly fields: readonly BoostedField[];
}

const NAME = 'combined_fields';
const OPTIONS: readonly string[] = [
  'operator',
  'minimum_should_match',
  'zero_terms_query',
  'auto_generate_synonyms_phrase_query',
];

function parseCombinedFields(node: JsonNode, query: string): CombinedFieldsQuery {
  const { operator, minimumShouldMatch, zeroTerms, phrasesSynonyms } = fullTextDefaults();
  const draft: Omit<Mutable<CombinedFieldsQuery>, 'value'> & { value: string | null } = {
    kind: 'combinedFields',
    value: null,
    fields: [],
    operator,
    minimumShouldMatch,
    zeroTerms,
    phrasesSynonyms,
    boost: 1,
    name: null,
  };
  for (const member of readObject(node, query).members) {
    if (!readMember(draft, member)) throw unknownField(NAME, member);
  }
  const { value } = draft;
  if (value === null) throw illegalArgument('Required [query]');
  return { ...draft, value };
}

/** False where the query has no such member. */
function readMember(
  draft: Omit<Mutable<CombinedFieldsQuery>, 'value'> & { value: string | null },
  member: JsonMember,
): boolean {
  const { name, value } = member;
  if (name === 'query') draft.value = readField(NAME, member, () => readString(value, name));
  else if (name === 'fields') draft.fields = readField(NAME, member, () => readFields(value));
  else if (name === 'boost') draft.boost = readField(NAME, member, () => readNumber(value, name));
  else if (name === '_name') draft.name = readField(NAME, member, () => readString(value, name));
  else if (OPTIONS.includes(name)) {
    const options = { ...fullTextDefaults(), ...draft };
    readField(NAME, member, () => parseFullTextOption(options, member));
    const { operator, minimumShouldMatch, zeroTerms, phrasesSynonyms } = options;
    Object.assign(draft, { operator, minimumShouldMatch, zeroTerms, phrasesSynonyms });
  } else return false;
  return true;
}

function readFields(node: JsonNode): readonly BoostedField[] {
  if (node.kind === 'object') throw parsingException('[fields] expects an array of texts', node.at);
  return readStrings(node, 'fields').map((text) => {
    const field = parseBoostedField(text);
    if (!(field.boost >= 1)) throw illegalArgument(`[${NAME}] requires field boosts to be >= 1.0`);
    return field;
  });
}

export const combinedFields: QueryKind<CombinedFieldsQuery> = {
  kind: 'combinedFields',
  parse: parseCombinedFields,
  read(r) {
    const fields = readBoostedFields(r, 'fields');
    if (!fields.every(({ boost }) => boost >= 1)) r.refuse('fields', 'boosts of at least 1');
    return {
      kind: 'combinedFields',
      value: r.string('value'),
      fields,
      operator: r.oneOf('operator', OPERATORS),
      minimumShouldMatch: r.optionalString('minimumShouldMatch'),
      zeroTerms: r.oneOf('zeroTerms', ZERO_TERMS),
      phrasesSynonyms: r.boolean('phrasesSynonyms'),
      ...readBase(r),
    };
  },
  inner: noInner,
};
