/**
 * What is shown of the documents of one list of hits: of a page, inside a hit, or of a bucket. Made once for a list, so that
 * nothing is looked up twice.
 */
import { writeJson } from '@shoal/core';
import type { HitForm, HitOptions, QueryNode, Rescore, SourceFilter } from '@shoal/query';
import { IGNORED_FIELD } from '@shoal/schema';
import {
  type FetchedHit,
  filterNestedSource,
  filterSourceBytes,
  namingVectors,
  type ShownHit,
  storedFieldsOf,
  storedNames,
} from '@shoal/shard-api';
import type { SegmentReader, SegmentView } from '../../format/reader/segment-reader.ts';
import { asQueryShardError, type CompileContext } from '../../match/context/compile-context.ts';
import type { RescoredOrds } from '../context/shard-search-context.ts';
import { HitExplainer } from './explain-hits.ts';
import { DocValueReader } from './fields/doc-value-fields.ts';
import { FetchedDocument, type NestedPlace } from './fields/fetched-document.ts';
import { NestedPlaces } from './fields/nested-places.ts';
import { ScriptFieldReader } from './fields/script-fields.ts';
import { SourceFieldReader } from './fields/source-fields.ts';
import { Highlighter } from './highlight/highlight-hits.ts';
import { InnerHitsReader } from './inner-hits-reader.ts';
import { MatchedQueries } from './matched-queries.ts';
import { PercolatedHitReader } from './percolated-hits.ts';

/** What the documents were found by. */
export interface HitSearch {
  /** Marked in highlights, and explained. */
  readonly query: QueryNode;
  /** Its named queries and inner hits are shown; the query itself where it is left out. */
  readonly named?: QueryNode;
  /** Filter of the hits whose named queries and inner hits are shown too; null without one. */
  readonly postFilter: QueryNode | null;
  /** Field whose value is shown with every hit; null without one. */
  readonly collapseField: string | null;
  readonly rescore: readonly Rescore[];
  /** null where it is not known, or nothing was rescored. */
  readonly rescored: RescoredOrds | null;
  readonly form: HitForm;
}

export class HitReader {
  private readonly ctx: CompileContext;
  private readonly options: HitOptions;
  private readonly sourceFilter: SourceFilter;
  private readonly highlighter: Highlighter | null;
  private readonly docValues: DocValueReader | null;
  private readonly sourceFields: SourceFieldReader | null;
  private readonly scriptFields: ScriptFieldReader | null;
  private readonly matched: MatchedQueries;
  private readonly explainer: HitExplainer | null;
  private readonly innerHits: InnerHitsReader | null;
  private readonly percolated: PercolatedHitReader | null;
  private readonly places: NestedPlaces | null;
  private readonly stored: readonly string[];

  /**
   * @param ctx tells whether the documents are nested objects, and of which path
   * @throws ShoalError for what cannot be shown on this shard
   */
  constructor(ctx: CompileContext, options: HitOptions, search: HitSearch) {
    const { highlight, docValueFields, fields } = options;
    const { query, postFilter, collapseField } = search;
    const hasDocValues = docValueFields.length > 0 || collapseField !== null;
    const named = search.named ?? query;
    const queries = postFilter === null ? [named] : [named, postFilter];
    const path = ctx.nestedPath ?? '';
    this.ctx = ctx;
    this.options = options;
    this.sourceFilter = namingVectors(options.source, ctx.mapping);
    this.highlighter = highlight === null ? null : new Highlighter(ctx, highlight, query);
    this.docValues = hasDocValues ? new DocValueReader(ctx, docValueFields, collapseField) : null;
    this.sourceFields = fields.length === 0 ? null : new SourceFieldReader(ctx, fields, path, true);
    this.scriptFields = options.scriptFields.length === 0 ? null : new ScriptFieldReader(ctx, options.scriptFields);
    this.matched = new MatchedQueries(ctx, queries, search.form.showsQueryScores);
    this.explainer = options.isExplained
      ? asQueryShardError(ctx.shard, () => new HitExplainer(ctx, search, search.rescored))
      : null;
    this.innerHits = innerHitsReader(ctx, queries, search.form);
    this.percolated = path === '' ? PercolatedHitReader.of(ctx, [named], highlight) : null;
    this.places = path === '' ? null : new NestedPlaces(ctx.mapping, path);
    this.stored = storedNames(options, ctx.mapping);
  }

  /** The document of a page. Its stored fields are left to whoever gets it. */
  read(view: SegmentView, doc: number): FetchedHit {
    return this.hit(view, new FetchedDocument(view.segment, doc), null);
  }

  /** All that is shown of a document, but for its place in a list. */
  shown(view: SegmentView, doc: number): Omit<ShownHit, 'result' | 'position'> {
    const { shard } = this.ctx;
    const place = this.places?.at(view, doc) ?? null;
    const document = new FetchedDocument(view.segment, doc, place);
    return {
      index: shard.index,
      shardNumber: shard.number,
      nodeId: null,
      hit: this.hit(view, document, place),
      fields: this.stored.length === 0 ? null : this.storedFields(document),
      ...(place !== null && { nested: place.steps }),
    };
  }

  private hit(view: SegmentView, document: FetchedDocument, place: NestedPlace | null): FetchedHit {
    const { segment, doc } = document;
    const meta = segment.meta(doc);
    const { fields, ignoredValues } = this.fields(view, document);
    return {
      id: segment.id(doc),
      // Nested objects have neither, their documents have.
      routing: place === null ? segment.routing(doc) : null,
      ignored: place === null ? ignoredNames(segment, doc) : null,
      version: meta.version,
      seqNo: meta.seqNo,
      primaryTerm: meta.primaryTerm,
      source: this.options.source.enabled ? this.source(document, place) : null,
      storedApart: this.stored.length === 0 ? null : document.storedApart(),
      fields,
      ignoredValues,
      highlight: this.fragments(document),
      matchedQueries: this.matched.namesAt(view, doc),
      innerHits: this.innerHits?.at(view, doc) ?? null,
      explanation: this.explainer?.explain(view, doc) ?? null,
    };
  }

  private source(document: FetchedDocument, place: NestedPlace | null): Uint8Array | null {
    const filter = this.sourceFilter;
    const own = document.source();
    if (own === null) return null;
    return place === null ? filterSourceBytes(own, filter) : filterNestedSource(own, place.path, filter);
  }

  private fragments(document: FetchedDocument): Uint8Array | null {
    const own = this.highlighter?.highlight(document) ?? null;
    return this.percolated === null ? own : this.percolated.fragments(document, own);
  }

  private fields(view: SegmentView, document: FetchedDocument): Pick<FetchedHit, 'fields' | 'ignoredValues'> {
    const readers = [this.docValues, this.sourceFields, this.percolated, this.scriptFields];
    if (readers.every((reader) => reader === null)) return NO_FIELDS;
    const shown = new Map<string, readonly unknown[]>();
    const ignored = new Map<string, readonly unknown[]>();
    this.docValues?.readInto(document, shown);
    this.sourceFields?.readInto(document, shown, ignored);
    this.percolated?.readInto(document, shown);
    this.scriptFields?.readInto(view, document, shown);
    return { fields: listsJson(shown), ignoredValues: listsJson(ignored) };
  }

  private storedFields(document: FetchedDocument): ShownHit['fields'] {
    // The names of the fields are those in the document.
    const whole = (part: Uint8Array | null): Uint8Array | null =>
      part === null || document.prefix === '' ? part : atPath(document.prefix.slice(0, -1), part);
    const parts = { source: whole(document.source()), storedApart: whole(document.storedApart()) };
    return storedFieldsOf(this.ctx.mapping, parts, this.stored, this.ctx.nestedPath ?? '');
  }
}

/** null where no query shows inner hits. @throws ShoalError for what is wrong with them on this shard */
export function innerHitsReader(
  ctx: CompileContext,
  queries: readonly QueryNode[],
  form: HitForm,
): InnerHitsReader | null {
  const search = { postFilter: null, collapseField: null, rescore: [], rescored: null, form };
  return InnerHitsReader.of(ctx, queries, {
    form,
    makeReader: (inner) => new HitReader(inner.ctx, inner.hits, { ...search, query: inner.query }),
  });
}

/** JSON of an object that has a JSON value at a path. */
function atPath(path: string, value: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`{${JSON.stringify(path)}:`, 'utf8'), value, Buffer.from('}')]);
}

const NO_FIELDS = { fields: null, ignoredValues: null };

function listsJson(lists: ReadonlyMap<string, readonly unknown[]>): Uint8Array | null {
  return lists.size === 0 ? null : writeJson(Object.fromEntries(lists));
}

/** Names of the fields of which a value was left out when the document was indexed; few documents have any. */
function ignoredNames(segment: SegmentReader, doc: number): Uint8Array | null {
  const column = segment.ordinalColumn(IGNORED_FIELD.path);
  if (column === null) return null;
  const names: string[] = [];
  for (let at = column.start(doc); at < column.start(doc + 1); at++) {
    names.push(Buffer.from(column.value(column.ordinal(at))).toString('utf8'));
  }
  return names.length === 0 ? null : writeJson(names);
}
