/**
 * Documents of a segment, one at a time in ascending order or as bits a range at a time.
 */

/** Documents in ascending order. Starts before the first: call `next` or `advance` first. */
export interface DocIterator {
  /** Current document; -1 before the first, `NO_MORE_DOCS` after the last. */
  readonly doc: number;
  /** Upper bound of the documents, roughly: who leads a conjunction is chosen by it. */
  readonly cost: number;
  next(): number;
  /** First document >= `target`; `target` must be greater than the current document. */
  advance(target: number): number;
  /** The same documents as bits, wherever it stands; null or left out where they are found one by one. */
  readonly bits?: DocBits | null;
  /**
   * For those that test documents one by one; null or left out for others. Not to be mixed with the calls above: `doc` is only
   * right where a candidate matches.
   */
  readonly candidates?: Candidates | null;
}

/**
 * Documents that are found quickly and tested slowly: `next` of their iterator may go through a whole segment for one match,
 * where whoever tests candidates himself can stop after each, or test none but those that are wanted.
 */
export interface Candidates {
  /** Has no candidates itself. */
  readonly docs: DocIterator;
  /** Whether the current document of `docs` is a match. Asked at most once for each. */
  readonly matches: () => boolean;
  /**
   * Keeps of the first `count` of some documents, in place, those that match, as `matches` says where `docs` stands at each; returns
   * how many. Left out where one at a time is as fast.
   */
  readonly keep?: (some: Uint32Array, count: number) => number;
}

/** Documents to look at: the candidates, or the documents themselves where those need no test. */
export function candidateDocs(docs: DocIterator): DocIterator {
  return docs.candidates?.docs ?? docs;
}

/** Stateless: any range may be asked for, in any order. */
export interface DocBits {
  /** Roughly how many documents it has, at most. */
  readonly cost: number;
  /**
   * Writes the documents from..to - 1 as bits into `words`, the bit of `from` first of word `at`; bits behind `to` of the last
   * word are clear. `from` is a multiple of `BLOCK_DOCS`.
   */
  fill(words: Uint32Array, at: number, from: number, to: number): void;
  /** Clears the bits in `words` of documents that it does not have; the range is as for `fill`. Absent: no cheaper than that. */
  narrow?(words: Uint32Array, at: number, from: number, to: number): void;
}
