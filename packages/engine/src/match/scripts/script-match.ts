/**
 * Documents of which a script says yes: every document of a segment is a candidate.
 */
import { isLive } from '../../format/flat-segment.ts';
import { NO_MORE_DOCS, type SegmentView } from '../../format/reader/segment-reader.ts';
import { AllDocsScorer } from '../bits/constant-weight.ts';
import type { CompileContext } from '../context/compile-context.ts';
import type { Candidates } from '../weight/doc-iterator.ts';
import type { Scorer } from '../weight/scorer.ts';
import type { Weight } from '../weight/weight.ts';
import { type BoundScript, type DocumentScript, describeScript } from './document-script.ts';

export function scriptWeight({ nestedPath }: CompileContext, script: DocumentScript, boost: number): Weight {
  return {
    text: describeScript(script.script),
    scorer: (view: SegmentView) =>
      new ScriptScorer(view, nestedPath === undefined ? view.liveDocs : null, script.bind(view), boost),
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
  readonly #boost: number;

  constructor(view: SegmentView, live: Uint8Array | null, matches: BoundScript, boost: number) {
    this.#docs = new AllDocsScorer(view.segment.docCount, boost);
    this.cost = this.#docs.cost;
    this.#live = live;
    this.#matches = matches;
    this.#boost = boost;
    this.candidates = { docs: this.#docs, matches: () => this.#isMatch((this.doc = this.#docs.doc)) };
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
    return this.#boost;
  }

  /** Documents that are deleted are not asked about: a script might fail over them. */
  #isMatch(doc: number): boolean {
    return (this.#live === null || isLive(this.#live, doc)) && this.#matches(doc, 0) === true;
  }
}
