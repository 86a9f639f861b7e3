/**
 * `highlight` of the documents of a page: which fields, with which marks, and the limits on what is analysed.
 */
import { illegalArgument, simpleMatch, writeJson } from '@shoal/core';
import type { HighlighterType, HighlightField, HighlightOptions, HighlightRequest, QueryNode } from '@shoal/query';
import { anyDeclarationAt, type FieldMapping, type MappingJson } from '@shoal/schema';
import { indexAnalyzer } from '../../../field-types/contract/field-analyzer.ts';
import { fieldType } from '../../../field-types/field-types.ts';
import { normalizerOf } from '../../../match/compile/normalized-value.ts';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import type { MarkedTerms } from '../../../match/marks/marks.ts';
import type { FetchedDocument } from '../fields/fetched-document.ts';
import { sourceValues } from '../fields/source-values.ts';
import { checkFragmentSize } from './character-passages.ts';
import { highlightField, Splitters } from './highlight-field.ts';
import { markedTerms } from './marked-terms.ts';
import {
  analyzeValues,
  beginningOf,
  type FieldText,
  findMarks,
  joinValues,
  type Mark,
  type Words,
} from './marked-text.ts';

const ANALYZED_OFFSET_MAX_DEFAULT = 1_000_000;

interface ShownField {
  /** Name that the request uses. */
  readonly name: string;
  readonly field: FieldMapping;
  readonly options: HighlightOptions;
}

/** Highlighter of one request, for all of its documents. */
export class Highlighter {
  private readonly ctx: CompileContext;
  private readonly fields: readonly ShownField[];
  private readonly terms = new Map<HighlighterType, Map<QueryNode, MarkedTerms>>();
  private readonly query: QueryNode;
  private readonly splitters = new Splitters();
  private readonly analyzedOffsetMax: number;

  constructor(ctx: CompileContext, request: HighlightRequest, query: QueryNode) {
    this.ctx = ctx;
    this.query = query;
    this.fields = request.fields.flatMap((one) => this.fieldsOf(one));
    const limit = ctx.settings['index.highlight.max_analyzed_offset'];
    this.analyzedOffsetMax = limit === undefined ? ANALYZED_OFFSET_MAX_DEFAULT : Number(limit);
  }

  /** JSON of the fragments by field; null when there are none. */
  highlight(document: FetchedDocument): Uint8Array | null {
    const shown: Record<string, readonly string[]> = {};
    for (const { name, field, options } of this.fields) {
      if (Object.hasOwn(shown, name)) continue;
      if (options.type === 'fvh' && options.numberOfFragments > 0) checkFragmentSize(options);
      const fragments = this.fragments(document, field, options);
      if (fragments.length > 0) shown[name] = fragments;
    }
    return Object.keys(shown).length === 0 ? null : writeJson(shown);
  }

  /** Patterns find texts and keywords only. */
  private fieldsOf({ pattern, options }: HighlightField): readonly ShownField[] {
    const { mapping } = this.ctx;
    const found = pattern.includes('*')
      ? [...mapping.named.keys()].filter((name) => simpleMatch(pattern, name))
      : [pattern];
    return found.flatMap((name) => {
      const field = mapping.field(name);
      if (field === null || fieldType(field.kind).textQueries === 'none') return [];
      if (options.type !== 'fvh' || hasVectors(mapping.json, field.path)) return [{ name, field, options }];
      if (pattern.includes('*')) return [];
      throw illegalArgument(
        `the field [${field.path}] should be indexed with term vector with position offsets to be used with fast vector highlighter`,
      );
    });
  }

  private fragments(document: FetchedDocument, field: FieldMapping, options: HighlightOptions): readonly string[] {
    const { mapping } = this.ctx;
    const values = sourceValues(mapping, field, document.keptValues(field, mapping), document.prefix).map(String);
    const kept =
      field.ignoreAbove === null ? values : values.filter((value) => value.length <= Number(field.ignoreAbove));
    if (kept.length === 0) return [];
    const content = joinValues(kept);
    this.checkLength(document, field, options, content);
    const analyzed = this.analyzedPart(content, field, options);
    const words = this.wordsOf(analyzed, field);
    const marks = this.marks(analyzed, words, field, options);
    return highlightField({ content, words, marks, options, splitters: this.splitters });
  }

  /** The text as far as the request has it analysed: all of it where offsets are indexed, or vectors of terms are asked for. */
  private analyzedPart(content: FieldText, { path }: FieldMapping, options: HighlightOptions): FieldText {
    const { type, analyzedOffsetMax } = options;
    if (analyzedOffsetMax === null || type === 'fvh') return content;
    if (type === 'unified' && hasOffsets(this.ctx.mapping.json, path)) return content;
    return beginningOf(content, analyzedOffsetMax === -1 ? this.analyzedOffsetMax : analyzedOffsetMax);
  }

  /** @param words of the field itself */
  private marks(content: FieldText, words: Words, field: FieldMapping, options: HighlightOptions): readonly Mark[] {
    const terms = this.termsOf(options.highlightQuery ?? this.query, options.type);
    if (options.matchedFields.length === 0) return marksAs(words, field, terms, options);
    const marks = options.matchedFields.flatMap((name) => {
      const matched = this.ctx.mapping.field(name);
      return matched === null ? [] : marksAs(this.wordsOf(content, matched), matched, terms, options);
    });
    return marks.sort((a, b) => a.start - b.start || b.end - a.end);
  }

  /** Terms of the text as the given field analyses it. */
  private wordsOf(content: FieldText, field: FieldMapping): Words {
    const name = fieldType(field.kind).textQueries === 'words' ? field.analyzer : 'keyword';
    const analyzer = normalizerOf(this.ctx, field) ?? this.ctx.analyzers.get(name);
    if (analyzer === null) throw illegalArgument(`analyzer [${name}] not found`);
    return analyzeValues(content, indexAnalyzer(field, analyzer), field.positionIncrementGap);
  }

  private termsOf(query: QueryNode, type: HighlighterType): MarkedTerms {
    const ofType = this.terms.get(type) ?? new Map<QueryNode, MarkedTerms>();
    this.terms.set(type, ofType);
    const terms = ofType.get(query) ?? markedTerms(this.ctx, query, type);
    ofType.set(query, terms);
    return terms;
  }

  /** Long texts are analysed only where the mapping has prepared for it. */
  private checkLength(
    { segment, doc }: FetchedDocument,
    { path }: FieldMapping,
    { type, analyzedOffsetMax }: HighlightOptions,
    { text }: FieldText,
  ): void {
    const max = this.analyzedOffsetMax;
    if (text.length <= max || type === 'fvh') return;
    if (analyzedOffsetMax !== null && analyzedOffsetMax <= max) return;
    if (type === 'unified' && hasOffsets(this.ctx.mapping.json, path)) return;
    throw illegalArgument(
      `The length of [${path}] field of [${segment.id(doc)}] doc of [${this.ctx.shard.index}] index - has exceeded [${max}] - maximum allowed to be analyzed for highlighting. This maximum can be set by changing the [index.highlight.max_analyzed_offset] index level setting. For large texts, indexing with offsets or term vectors is recommended!`,
    );
  }
}

/** Marks of what is asked of a field, in the words that it makes of the text. */
function marksAs(words: Words, field: FieldMapping, terms: MarkedTerms, options: HighlightOptions): readonly Mark[] {
  const isFvh = options.type === 'fvh';
  const marks = findMarks(words, terms, {
    takesField: (asked) => !options.requiresFieldMatch || asked === field.path,
    partsPatterns: options.type === 'plain',
    joinsPhrases: isFvh,
  });
  return isFvh ? marks.slice(0, options.phraseLimit) : marks;
}

/** Offsets were asked for when the field was mapped. */
function hasOffsets(mapping: MappingJson, path: string): boolean {
  return anyDeclarationAt(mapping, path)?.index_options === 'offsets' || hasVectors(mapping, path);
}

function hasVectors(mapping: MappingJson, path: string): boolean {
  return String(anyDeclarationAt(mapping, path)?.term_vector).startsWith('with_positions_offsets');
}
