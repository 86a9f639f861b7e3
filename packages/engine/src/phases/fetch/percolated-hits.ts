/**
 * What a hit of a `percolate` query shows besides: which of the documents its query matches, and their text with its marks.
 */
import { ANY_TOKENS, parseJson, writeJson } from '@shoal/core';
import { asQuery, type HighlightRequest, innerQueries, type PercolateQuery, type QueryNode } from '@shoal/query';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { Percolation } from '../../match/kinds/percolate/percolation.ts';
import { compileQuery } from '../../match/registry/compile-query.ts';
import { FetchedDocument } from './fields/fetched-document.ts';
import { Highlighter } from './highlight/highlight-hits.ts';

const SLOT_FIELD = '_percolator_document_slot';

interface PercolatedHits {
  readonly query: PercolateQuery;
  readonly percolation: Percolation;
}

export class PercolatedHitReader {
  private readonly queries: readonly PercolatedHits[];
  private readonly highlight: HighlightRequest | null;

  private constructor(queries: readonly PercolatedHits[], highlight: HighlightRequest | null) {
    this.queries = queries;
    this.highlight = highlight;
  }

  /** null where nothing is percolated. */
  static of(
    ctx: CompileContext,
    queries: readonly QueryNode[],
    highlight: HighlightRequest | null,
  ): PercolatedHitReader | null {
    const found = queries.flatMap(percolateQueries);
    if (found.length === 0) return null;
    const made = found.map((query) => ({ query, percolation: new Percolation(ctx, query, compileQuery) }));
    return new PercolatedHitReader(made, highlight);
  }

  /** Adds the positions of the documents that match, by the name of the query where there are several. */
  readInto({ segment, doc }: FetchedDocument, shown: Map<string, readonly unknown[]>): void {
    for (const { query, percolation } of this.queries) {
      const matched = percolation.matches(segment, doc, false);
      const name = this.queries.length === 1 ? SLOT_FIELD : `${SLOT_FIELD}_${query.label}`;
      if (matched !== null) shown.set(name, matched.slots);
    }
  }

  /** JSON of the fragments of the documents that match, beside those of the hit; null when there are none. */
  fragments({ segment, doc }: FetchedDocument, own: Uint8Array | null): Uint8Array | null {
    const request = this.highlight;
    if (request === null) return own;
    const shown: Record<string, unknown> = own === null ? {} : Object(parseJson(own, ANY_TOKENS));
    for (const { query, percolation } of this.queries) {
      const stored = percolation.storedQuery(segment, doc);
      const matched = stored === null ? null : percolation.matches(segment, doc, false);
      if (stored === null || matched === null) continue;
      const highlighter = new Highlighter(percolation.ctx, request, stored);
      for (const slot of matched.slots) {
        const document = new FetchedDocument(percolation.view.segment, percolation.ords[slot] ?? 0);
        const found = highlighter.highlight(document);
        if (found === null) continue;
        const prefix = this.prefixOf(query, slot);
        for (const [field, fragments] of Object.entries(Object(parseJson(found, ANY_TOKENS)))) {
          shown[`${prefix}${field}`] = fragments;
        }
      }
    }
    return Object.keys(shown).length === 0 ? null : writeJson(shown);
  }

  /** Tells the fields of one document from those of another. */
  private prefixOf({ label, documents }: PercolateQuery, slot: number): string {
    const ofQuery = this.queries.length === 1 ? '' : `${label}_`;
    return documents.length === 1 ? ofQuery : `${ofQuery}${slot}_`;
  }
}

/** Those that a hit may match: not what must not match, or only lowers its score. */
function percolateQueries(node: QueryNode): readonly PercolateQuery[] {
  const query = asQuery(node);
  if (query.kind === 'percolate') return [query];
  if (query.kind === 'boosting') return percolateQueries(query.positive);
  const excluded: readonly QueryNode[] = query.kind === 'bool' ? query.mustNot : [];
  return innerQueries(query)
    .filter((inner) => !excluded.includes(inner))
    .flatMap(percolateQueries);
}
