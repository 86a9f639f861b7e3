/**
 * `more_like_this`: documents that have the most telling words of some texts and documents.
 */
import { illegalArgument, type JsonMember, type JsonNode, parsingException, ValueReader } from '@shoal/core';
import {
  readBoolean,
  readInteger,
  readNumber,
  readObject,
  readString,
  unsupported,
} from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { LIST_ENTRIES_MAX, type QueryNode, readBase, readWhole } from '../../node/query-node.ts';
import {
  type LikedDocument,
  notANumber,
  type ParsedDocument,
  parseLikedDocument,
  readLikedDocument,
} from './liked-document.ts';

/** Which words of what is compared with are looked for. Words are measured in UTF-16 units. */
export interface WordChoice {
  /** At least 1. */
  readonly maxQueryTerms: number;
  readonly minTermFreq: number;
  readonly minDocFreq: number;
  readonly maxDocFreq: number;
  /** 0: no limit. */
  readonly minWordLength: number;
  /** 0: no limit. */
  readonly maxWordLength: number;
}

export interface MoreLikeThisQuery extends QueryNode, WordChoice {
  readonly kind: 'moreLikeThis';
  /** null: the default fields of the index. */
  readonly fields: readonly string[] | null;
  readonly likeTexts: readonly string[];
  readonly unlikeTexts: readonly string[];
  readonly likeDocuments: readonly LikedDocument[];
  readonly unlikeDocuments: readonly LikedDocument[];
  readonly stopWords: readonly string[];
  /** Analyzer of texts; null, or a name that the index does not have: that of the first field. */
  readonly analyzer: string | null;
  readonly minimumShouldMatch: string;
  /** Factor on words by how telling they are; 0: words count alike. */
  readonly boostTerms: number;
  /** Whether the documents themselves are found. */
  readonly includesLiked: boolean;
  readonly failsOnUnsupported: boolean;
}

const NAME = 'mlt';
const COUNT_MAX = 2 ** 31 - 1;

type Draft = Mutable<Omit<MoreLikeThisQuery, 'likeDocuments' | 'unlikeDocuments'>> & {
  likeDocuments: ParsedDocument[];
  unlikeDocuments: ParsedDocument[];
};

/** Members that are counts, by name. */
const COUNTS: ReadonlyMap<string, keyof WordChoice> = new Map([
  ['max_query_terms', 'maxQueryTerms'],
  ['min_term_freq', 'minTermFreq'],
  ['min_doc_freq', 'minDocFreq'],
  ['max_doc_freq', 'maxDocFreq'],
  ['min_word_length', 'minWordLength'],
  ['max_word_length', 'maxWordLength'],
]);

function parseMoreLikeThis(node: JsonNode, query: string): MoreLikeThisQuery {
  const draft: Draft = {
    kind: 'moreLikeThis',
    fields: null,
    likeTexts: [],
    unlikeTexts: [],
    likeDocuments: [],
    unlikeDocuments: [],
    maxQueryTerms: 25,
    minTermFreq: 2,
    minDocFreq: 5,
    maxDocFreq: COUNT_MAX,
    minWordLength: 0,
    maxWordLength: 0,
    stopWords: [],
    analyzer: null,
    minimumShouldMatch: '30%',
    boostTerms: 0,
    includesLiked: false,
    failsOnUnsupported: true,
    boost: 1,
    name: null,
  };
  // A null says nothing, whatever its name.
  for (const member of readObject(node, query).members) if (member.value.kind !== 'null') parseMember(draft, member);
  if (draft.likeTexts.length + draft.likeDocuments.length === 0) {
    throw parsingException("more_like_this requires 'like' to be specified", readObject(node, query).end);
  }
  if (draft.fields?.length === 0) {
    throw parsingException("more_like_this requires 'fields' to be non-empty", readObject(node, query).end);
  }
  if (draft.maxQueryTerms <= 0) throw illegalArgument("requires 'maxQueryTerms' to be greater than 0");
  // Without documents to be like, those to be unlike say nothing.
  const unlike = draft.likeDocuments.length === 0 ? [] : draft.unlikeDocuments;
  return { ...draft, likeDocuments: draft.likeDocuments.map(fetched), unlikeDocuments: unlike.map(fetched) };
}

function fetched({ id, found }: ParsedDocument): LikedDocument {
  if (found !== null) return { id, found };
  throw illegalArgument('documents of [more_like_this] are not supported in this place by this server');
}

function parseMember(draft: Draft, member: JsonMember): void {
  const { name, value } = member;
  if (name === 'like') parseLike(value, draft.likeTexts, draft.likeDocuments);
  else if (name === 'unlike') parseLike(value, draft.unlikeTexts, draft.unlikeDocuments);
  else if (value.kind === 'array') {
    if (name === 'fields') draft.fields = value.items.map((item) => readString(item, name));
    else if (name === 'stop_words') draft.stopWords = value.items.map((item) => readString(item, name));
    else throw unsupported(NAME, member);
  } else parseOption(draft, member);
}

function parseOption(draft: Draft, member: JsonMember): void {
  const { name, value } = member;
  const count = COUNTS.get(name);
  if (value.kind === 'object') throw unsupported(NAME, member);
  if (count !== undefined) draft[count] = readCountOf(value, name);
  else if (name === 'analyzer') draft.analyzer = readString(value, name);
  else if (name === 'minimum_should_match') draft.minimumShouldMatch = readString(value, name);
  else if (name === 'boost_terms') draft.boostTerms = Math.fround(readNumber(value, name));
  else if (name === 'include') draft.includesLiked = readBoolean(value, name);
  else if (name === 'fail_on_unsupported_field') draft.failsOnUnsupported = readBoolean(value, name);
  else if (name === 'boost') draft.boost = readNumber(value, name);
  else if (name === '_name') draft.name = readString(value, name);
  else throw unsupported(NAME, member);
}

function readCountOf(value: JsonNode, name: string): number {
  if (value.kind === 'string' && Number.isNaN(Number(value.value || 'x'))) throw notANumber(value.value);
  return readInteger(value, name);
}

function parseLike(node: JsonNode, texts: readonly string[], documents: ParsedDocument[]): void {
  const into = texts as string[];
  for (const item of node.kind === 'array' ? node.items : [node]) {
    if (item.kind === 'object') documents.push(parseLikedDocument(item));
    else if (item.kind === 'array' || item.kind === 'null') {
      throw illegalArgument("Content of 'like' parameter should either be a string or an object");
    } else into.push(readString(item, 'like'));
  }
}

export const moreLikeThis: QueryKind<MoreLikeThisQuery> = {
  kind: 'moreLikeThis',
  parse: parseMoreLikeThis,
  read(r) {
    const texts = (field: string): readonly string[] => r.list(field, ValueReader.asString, LIST_ENTRIES_MAX);
    const maxQueryTerms = readWhole(r, 'maxQueryTerms');
    if (maxQueryTerms < 1) r.refuse('maxQueryTerms', 'a number of at least 1');
    return {
      kind: 'moreLikeThis',
      fields: r.optional('fields', (value, path) =>
        ValueReader.listOf(value, path, ValueReader.asString, LIST_ENTRIES_MAX),
      ),
      likeTexts: texts('likeTexts'),
      unlikeTexts: texts('unlikeTexts'),
      likeDocuments: r.list('likeDocuments', readLikedDocument, LIST_ENTRIES_MAX),
      unlikeDocuments: r.list('unlikeDocuments', readLikedDocument, LIST_ENTRIES_MAX),
      maxQueryTerms,
      minTermFreq: readWhole(r, 'minTermFreq'),
      minDocFreq: readWhole(r, 'minDocFreq'),
      maxDocFreq: readWhole(r, 'maxDocFreq'),
      minWordLength: readWhole(r, 'minWordLength'),
      maxWordLength: readWhole(r, 'maxWordLength'),
      stopWords: texts('stopWords'),
      analyzer: r.optionalString('analyzer'),
      minimumShouldMatch: r.string('minimumShouldMatch'),
      boostTerms: r.number('boostTerms'),
      includesLiked: r.boolean('includesLiked'),
      failsOnUnsupported: r.boolean('failsOnUnsupported'),
      ...readBase(r),
    };
  },
  inner: noInner,
};
