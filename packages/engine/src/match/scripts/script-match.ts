/**
 * Documents of which a script says yes: every document of a segment is a candidate.
 */
import { isLive } from '../../format/flat-segment.ts';
import { NO_MORE_DOCS, type SegmentView } from '../../format/reader/segment-reader.ts';
import { AllDocsScorer } from '../bits/constant-weight.ts';
import { askedDocs } from '../context/asked-docs.ts';
import type { CompileContext } from '../context/compile-context.ts';
import type { Candidates } from '../weight/doc-iterator.ts';
import type { Scorer } from '../weight/scorer.ts';
import type { Weight } from '../weight/weight.ts';
import { type DocumentScript, describeScript } from './document-script.ts';
import type { BoundScript, ScriptVectors } from './script-vectors.ts';

export function scriptWeight(ctx: CompileContext, script: DocumentScript, boost: number): Weight {
  return {
    text: `ScriptQuery(${describeScript(script.script)})`,
    scorer: (view: SegmentView) => new ScriptScorer(view, askedDocs(ctx, view), script, boost),
    count: () => -1,
  };
}

class ScriptScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  readonly candidates: Candidates;
  readonly #docs: AllDocsScorer;
  /** null: all documents are asked about. */
  readonly #live: Uint8Array | null;
  readonly #matches: BoundScript;
  readonly constantScore: number;

  constructor(view: SegmentView, live: Uint8Array | null, script: DocumentScript, boost: number) {
    this.#docs = new AllDocsScorer(view.segment.docCount, boost);
    this.cost = this.#docs.cost;
    this.#live = live;
    this.#matches = script.bind(view);
    this.constantScore = boost;
    const matches = (): boolean => this.#isMatch((this.doc = this.#docs.doc));
    const vectors = script.vectors(view, live);
    this.candidates =
      vectors === null
        ? { docs: this.#docs, matches }
        : { docs: this.#docs, matches, keep: (some, count) => keepMatches(vectors, live, some, count) };
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    let doc = this.#docs.advance(target);
    while (doc !== NO_MORE_DOCS && !this.#isMatch(doc)) doc = this.#docs.next();
    this.doc = doc;
    return doc;
  }

  score(): number {
    return this.constantScore;
  }

  /** Documents that are deleted are not asked about: a script might fail over them. */
  #isMatch(doc: number): boolean {
    return (this.#live === null || isLive(this.#live, doc)) && this.#matches(doc, 0) === true;
  }
}

/** Keeps the live documents of which the script says yes; returns how many. */
function keepMatches(vectors: ScriptVectors, live: Uint8Array | null, docs: Uint32Array, count: number): number {
  let asked = count;
  if (live !== null) {
    asked = 0;
    for (let i = 0; i < count; i++) if (isLive(live, docs[i] as number)) docs[asked++] = docs[i] as number;
  }
  const answers = new Float64Array(asked);
  vectors.fill(docs, asked, null, answers, 0);
  let kept = 0;
  for (let i = 0; i < asked; i++) if (answers[i] === 1) docs[kept++] = docs[i] as number;
  return kept;
}
