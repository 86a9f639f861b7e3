/**
 * Which of a request's named queries a hit matches, and with which scores.
 */
import { FloatNumber, writeJson } from '@shoal/core';
import { namedQueries, type QueryNode } from '@shoal/query';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { compileQuery } from '../../match/registry/compile-query.ts';
import { DocTest } from '../../match/weight/doc-test.ts';
import type { Scorer } from '../../match/weight/scorer.ts';
import type { Weight } from '../../match/weight/weight.ts';

interface NamedWeight {
  readonly name: string;
  readonly weight: Weight;
  view: SegmentView | null;
  scorer: Scorer | null;
  test: DocTest | null;
}

export class MatchedQueries {
  private readonly named: readonly NamedWeight[];

  readonly #isScored: boolean;

  /** @param isScored names are told with scores */
  constructor(ctx: CompileContext, queries: readonly QueryNode[], isScored: boolean) {
    this.#isScored = isScored;
    const named = new Map(queries.flatMap((query) => [...namedQueries(query)]));
    this.named = [...named].map(([name, of]) => {
      return { name, weight: compileQuery(ctx, of, { boost: 1, isScored }), view: null, scorer: null, test: null };
    });
  }

  /** JSON of the names, or of scores by name; null when no query has one, or none matches. */
  namesAt(view: SegmentView, doc: number): Uint8Array | null {
    const matching = this.named.filter((named) => isMatch(named, view, doc));
    if (matching.length === 0) return null;
    if (!this.#isScored) return writeJson(matching.map(({ name }) => name));
    return writeJson(
      Object.fromEntries(matching.map(({ name, scorer }) => [name, new FloatNumber(scorer?.score() ?? 0)])),
    );
  }
}

/** Documents come in ascending order, mostly: a scorer that is too far begins again. */
function isMatch(named: NamedWeight, view: SegmentView, doc: number): boolean {
  if (named.view !== view || (named.test !== null && named.test.doc > doc)) {
    const scorer = named.weight.scorer(view);
    named.view = view;
    named.scorer = scorer;
    named.test = scorer && new DocTest(scorer);
  }
  return named.test?.has(doc) ?? false;
}
