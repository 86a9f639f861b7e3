/**
 * Documents by the nested ones inside them that match, with a score made of theirs: Lucene's block join.
 */
import { assert } from '@shoal/core';
import type { NestedScoreMode } from '@shoal/query';
import { isLive } from '../../../format/flat-segment.ts';
import { NO_MORE_DOCS, type SegmentView } from '../../../format/reader/segment-reader.ts';
import { explainWeight } from '../../explain/explain-weight.ts';
import { type Explanation, explained, noMatch } from '../../weight/explanation.ts';
import { requiredTerms } from '../../weight/required-terms.ts';
import type { Scorer } from '../../weight/scorer.ts';
import { hasPlainText, textOfWeight, type Weight } from '../../weight/weight.ts';
import { ParentDocs } from './nested-docs.ts';

export interface BlockJoin {
  /** Matches nested documents of one path only. */
  readonly children: Weight;
  /** The same without what picks the path, for explanations. */
  readonly query: Weight;
  /** Nested object whose documents are wanted; '' for those that are nested in nothing. */
  readonly path: string;
  readonly mode: NestedScoreMode;
}

export function toParentWeight(join: BlockJoin): Weight {
  const { children, query, path, mode } = join;
  const scorer = (view: SegmentView): Scorer | null => {
    const found = view.nested ? children.scorer(view) : null;
    return found && new ToParentScorer(found, view, path, mode);
  };
  return {
    text: `ToParentBlockJoinQuery (${textOfWeight(query)})`,
    ...(hasPlainText(query) && { plainText: `ToParentBlockJoinQuery (${textOfWeight(query, 'plain')})` }),
    ...(mode === 'none' && { constantScore: 0 }),
    scorer,
    requiredTerms: () => requiredTerms(query),
    explain: (view, doc) => explainBlock(join, view, doc, scorer(view)),
    count: () => -1,
  };
}

class ToParentScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  private readonly children: Scorer;
  private readonly parents: ParentDocs;
  private readonly live: Uint8Array | null;
  private readonly mode: NestedScoreMode;
  private total = 0;

  constructor(children: Scorer, view: SegmentView, path: string, mode: NestedScoreMode) {
    this.children = children;
    this.cost = children.cost;
    this.parents = new ParentDocs(view, path);
    this.live = view.nested?.liveDocs ?? null;
    this.mode = mode;
    assert(children.doc === -1, `nested documents that stand at ${children.doc}`);
  }

  next(): number {
    return this.block(this.children.doc === -1 ? this.children.next() : this.children.doc);
  }

  advance(target: number): number {
    const first = this.parents.before(target) + 1;
    const { doc } = this.children;
    return this.block(doc < first ? this.children.advance(first) : doc);
  }

  score(): number {
    return this.total;
  }

  /** Goes to the document around a nested one, and past all others inside it. */
  private block(child: number): number {
    const { children } = this;
    let at = child;
    while (at !== NO_MORE_DOCS && !this.isLive(at)) at = children.next();
    if (at === NO_MORE_DOCS) return (this.doc = NO_MORE_DOCS);
    this.doc = this.parents.from(at);
    assert(this.doc > at, `nested document ${at} stands behind ${this.doc}, or in nothing`);
    const scores = new BlockScores(this.mode);
    for (; at < this.doc; at = children.next()) if (this.isLive(at)) scores.add(children);
    this.total = scores.result();
    return this.doc;
  }

  private isLive(doc: number): boolean {
    return this.live === null || isLive(this.live, doc);
  }
}

class BlockScores {
  private readonly mode: NestedScoreMode;
  private count = 0;
  private value = 0;

  constructor(mode: NestedScoreMode) {
    this.mode = mode;
  }

  add(scorer: Scorer): void {
    if (this.mode === 'none') return;
    const score = scorer.score();
    if (this.count++ === 0) this.value = score;
    else if (this.mode === 'min') this.value = Math.min(this.value, score);
    else if (this.mode === 'max') this.value = Math.max(this.value, score);
    else this.value += score;
  }

  result(): number {
    return Math.fround(this.mode === 'avg' ? this.value / Math.max(1, this.count) : this.value);
  }
}

function explainBlock(
  { children, query, path, mode }: BlockJoin,
  view: SegmentView,
  doc: number,
  whole: Scorer | null,
): Explanation {
  const own = view.nested ? children.scorer(view) : null;
  if (own === null || whole?.advance(doc) !== doc) return noMatch('Not a match');
  const first = new ParentDocs(view, path).before(doc) + 1;
  let [count, highest, best] = [0, -1, -1];
  for (let at = own.advance(first); at < doc; at = own.next()) {
    count++;
    const score = mode === 'none' ? 0 : own.score();
    if (score > highest) [highest, best] = [score, at];
  }
  const [from, to] = [view.docBase + first, view.docBase + doc - 1];
  const text = `Score based on ${count} child docs in range from ${from} to ${to}, using score mode ${MODE_NAMES[mode]}`;
  return explained(whole.score(), text, mode === 'none' ? [] : [explainWeight(query, view, best)]);
}

const MODE_NAMES: Readonly<Record<NestedScoreMode, string>> = {
  none: 'None',
  min: 'Min',
  max: 'Max',
  sum: 'Total',
  avg: 'Avg',
};
