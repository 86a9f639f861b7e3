/**
 * `highlight` of a search as every shard understands it: for each field pattern its options, with those of the whole
 * request and every default filled in.
 */
import { type ItemReader, ValueReader } from '@shoal/core';
import type { ReadInner } from '../node/query-kind.ts';
import type { QueryNode } from '../node/query-node.ts';

const TYPES = ['unified', 'plain', 'fvh'] as const;
const SCANNERS = ['sentence', 'word', 'chars'] as const;
const FRAGMENTERS = ['span', 'simple'] as const;
/** Fields of one highlight. */
export const HIGHLIGHT_FIELDS_MAX = 1_024;
/** Tags of one field, and fields that share its marks. */
const NAMES_MAX = 100_000;

/** All are answered by one machinery; `fvh` marks the words of a phrase as one. */
export type HighlighterType = (typeof TYPES)[number];

/** What a fragment ends at: sentences up to its size, single words, or any of some characters. */
export type BoundaryScanner = (typeof SCANNERS)[number];

/** Where `plain` cuts: `span` leaves no short rest at the end of a value. */
export type Fragmenter = (typeof FRAGMENTERS)[number];

export interface HighlightOptions {
  readonly type: HighlighterType;
  /** At least one. */
  readonly preTags: readonly string[];
  /** At least one. */
  readonly postTags: readonly string[];
  /** Wanted length of a fragment in UTF-16 units; 0: whole sentences however long. */
  readonly fragmentSize: number;
  /** Fragments at most; 0: the whole field, value by value. */
  readonly numberOfFragments: number;
  /** Units shown of a field in which nothing is marked; 0: none. */
  readonly noMatchSize: number;
  /** Best fragments first; else as they stand in the text. */
  readonly isOrderedByScore: boolean;
  /** null: the highlighter's own, characters for `fvh` and sentences for the others. */
  readonly boundaryScanner: BoundaryScanner | null;
  /** Characters at which the scanner `chars` ends a fragment. */
  readonly boundaryChars: string;
  readonly boundaryMaxScan: number;
  /** Read by `plain`. */
  readonly fragmenter: Fragmenter;
  /** Units before a mark at which a fragment of `fvh` may begin at the earliest, while it is not known what follows. */
  readonly fragmentOffset: number;
  /** Marks that `fvh` looks at, from the beginning of the text. */
  readonly phraseLimit: number;
  /** BCP 47 name; null: of no language. */
  readonly boundaryLocale: string | null;
  /** Only what was asked of this field is marked in it. */
  readonly requiresFieldMatch: boolean;
  /** Marked instead of what the request searches; null when not given. */
  readonly highlightQuery: QueryNode | null;
  /** Fields whose terms are marked too; empty: the field's own. */
  readonly matchedFields: readonly string[];
  /** The text between the tags is escaped for HTML. */
  readonly escapesHtml: boolean;
  /** UTF-16 units behind whose last one no word is marked, where offsets are not indexed; -1: those that the index allows; null: not given. */
  readonly analyzedOffsetMax: number | null;
}

export interface HighlightField {
  /** A name, or a pattern in which `*` stands for anything. */
  readonly pattern: string;
  readonly options: HighlightOptions;
}

export interface HighlightRequest {
  readonly fields: readonly HighlightField[];
}

/** @param readInner reads the queries that are marked instead of that of the request */
export function highlightReader(readInner: ReadInner): ItemReader<HighlightRequest> {
  const readField: ItemReader<HighlightField> = (value, path) => {
    const r = ValueReader.of(value, path);
    return { pattern: r.string('pattern'), options: readOptions(r.object('options'), readInner) };
  };
  return (value, path) => ({ fields: ValueReader.of(value, path).list('fields', readField, HIGHLIGHT_FIELDS_MAX) });
}

function readOptions(r: ValueReader, readInner: ReadInner): HighlightOptions {
  return {
    type: r.oneOf('type', TYPES),
    preTags: r.list('preTags', ValueReader.asString, NAMES_MAX),
    postTags: r.list('postTags', ValueReader.asString, NAMES_MAX),
    fragmentSize: r.number('fragmentSize'),
    numberOfFragments: r.number('numberOfFragments'),
    noMatchSize: r.number('noMatchSize'),
    isOrderedByScore: r.boolean('isOrderedByScore'),
    boundaryScanner: r.has('boundaryScanner') ? r.oneOf('boundaryScanner', SCANNERS) : null,
    boundaryChars: r.string('boundaryChars'),
    boundaryMaxScan: r.number('boundaryMaxScan'),
    fragmenter: r.oneOf('fragmenter', FRAGMENTERS),
    fragmentOffset: r.number('fragmentOffset'),
    phraseLimit: r.number('phraseLimit'),
    boundaryLocale: r.optionalString('boundaryLocale'),
    requiresFieldMatch: r.boolean('requiresFieldMatch'),
    highlightQuery: r.optional('highlightQuery', readInner),
    matchedFields: r.list('matchedFields', ValueReader.asString, NAMES_MAX),
    escapesHtml: r.boolean('escapesHtml'),
    analyzedOffsetMax: r.optional('analyzedOffsetMax', ValueReader.asNumber),
  };
}
