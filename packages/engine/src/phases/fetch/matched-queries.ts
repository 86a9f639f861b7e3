/**
 * Which of a request's named queries a hit matches.
 */
import { writeJson } from '@shoal/core';
import { namedQueries, type QueryNode } from '@shoal/query';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { compileQuery } from '../../match/registry/compile-query.ts';
import { DocTest } from '../../match/weight/doc-test.ts';
import type { Weight } from '../../match/weight/weight.ts';

interface NamedWeight {
  readonly name: string;
  readonly weight: Weight;
  view: SegmentView | null;
  test: DocTest | null;
}

const UNSCORED = { boost: 1, isScored: false };

export class MatchedQueries {
  private readonly named: readonly NamedWeight[];

  constructor(ctx: CompileContext, queries: readonly QueryNode[]) {
    const named = new Map(queries.flatMap((query) => [...namedQueries(query)]));
    this.named = [...named].map(([name, of]) => {
      return { name, weight: compileQuery(ctx, of, UNSCORED), view: null, test: null };
    });
  }

  /** JSON of the names; null when no query has one, or none matches. */
  namesAt(view: SegmentView, doc: number): Uint8Array | null {
    const names = this.named.filter((named) => isMatch(named, view, doc)).map(({ name }) => name);
    return names.length === 0 ? null : writeJson(names);
  }
}

/** Documents come in ascending order, mostly: a scorer that is too far begins again. */
function isMatch(named: NamedWeight, view: SegmentView, doc: number): boolean {
  if (named.view !== view || (named.test !== null && named.test.doc > doc)) {
    const scorer = named.weight.scorer(view);
    named.view = view;
    named.test = scorer && new DocTest(scorer);
  }
  return named.test?.has(doc) ?? false;
}
