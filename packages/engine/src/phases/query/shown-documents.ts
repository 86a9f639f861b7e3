/**
 * The documents that aggregations show, read as those of the page of the same search.
 */
import { MATCH_ALL, type SearchRequest } from '@shoal/query';
import type { ShownDocuments } from '../../collect/aggregations/collector/shown-documents.ts';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { compileQuery } from '../../match/registry/compile-query.ts';
import { HitReader } from '../fetch/hit-reader.ts';

export function shownDocuments(ctx: CompileContext, search: SearchRequest, indexBoost: number): ShownDocuments {
  const { query } = search;
  const found = { postFilter: null, collapseField: null, rescore: [], rescored: null, form: search };
  return {
    form: search,
    weight: () => compileQuery(ctx, query, { boost: indexBoost, isScored: true }),
    reader: (inner, options) => {
      // Inner hits and named queries are those of the document that is searched, not of the objects in it.
      const beside = (inner.nestedPath ?? '') === '' ? query : MATCH_ALL;
      return new HitReader(inner, options, { ...found, query, named: beside });
    },
  };
}
