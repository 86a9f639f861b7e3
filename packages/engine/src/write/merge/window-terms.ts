/**
 * Terms and postings of the window of one input of a merge, for JavaScript.
 */
import { assert } from '@shoal/core';
import { u32View } from '../../format/container/container-reader.ts';
import { FlatCursor } from '../../format/postings/flat-cursor.ts';
import { POSTINGS_BLOCK } from '../../format/postings/packed-block.ts';
import type { PostingsSections } from '../../format/postings/postings-sections.ts';
import type { PostingsCursor } from '../../format/reader/segment-reader.ts';
import { type DictionaryWindow, type InputTerms, type PostingsWindow, termRange } from './input-terms.ts';

const WORD_BYTES = 4;
const NO_WORDS = new Uint32Array(0);

export class WindowTerms {
  private readonly input: InputTerms;
  private dictionary: DictionaryWindow | null = null;
  private postingsWindow: PostingsWindow | null = null;
  private cursor: FlatCursor | null = null;

  constructor(input: InputTerms) {
    this.input = input;
  }

  /** Takes the window at which the input stands. */
  open(): void {
    const { input } = this;
    const isEmpty = input.from === input.to;
    this.dictionary = isEmpty ? null : input.dictionary();
    this.postingsWindow = isEmpty ? null : input.postings();
    const { hasFreqs, hasPositions } = input.terms;
    this.cursor =
      this.postingsWindow === null
        ? null
        : new FlatCursor(sectionsOf(this.postingsWindow, hasFreqs, hasPositions), 0, -1, 0);
  }

  /** The term of this ordinal; null behind the window. A view, valid as long as the window. */
  at(ordinal: number): Uint8Array | null {
    const { dictionary, input } = this;
    if (dictionary === null || ordinal >= input.to) return null;
    const [start, end] = termRange(dictionary, ordinal - input.from, input.terms.termLength);
    return dictionary.termBytes.subarray(start, end);
  }

  /** Documents of a term of the window, until the next one is asked for. */
  postings(ordinal: number): PostingsCursor | null {
    const { dictionary, postingsWindow, cursor, input } = this;
    if (dictionary === null || postingsWindow === null || cursor === null) return null;
    const i = ordinal - input.from;
    // Evaluated first: the message is built at each call.
    if (i < 0 || ordinal >= input.to) assert(false, `term ${ordinal} of a window from ${input.from} to ${input.to}`);
    const { hasFreqs, hasPositions, isUnique } = input.terms;
    const docFreq = isUnique ? 1 : (dictionary.docFreqs[i] as number);
    const start = dictionary.postingsAt[i] as number;
    if (docFreq === 1 && !hasPositions)
      return FlatCursor.ofOne(start, hasFreqs ? (dictionary.totalTermFreqs[i] as number) : 1);
    if (docFreq >= POSTINGS_BLOCK) cursor.begin(docFreq, start - postingsWindow.blocksFrom, 0);
    else cursor.begin(docFreq, -1, start - postingsWindow.listsFrom);
    return cursor;
  }
}

function sectionsOf(window: PostingsWindow, hasFreqs: boolean, hasPositions: boolean): PostingsSections {
  const { blockPositions, positions, positionsFrom } = window;
  return {
    ...window,
    hasFreqs,
    hasPositions,
    packed: u32View(window.packed),
    packedFrom: window.packedFrom / WORD_BYTES,
    blockImpacts: NO_WORDS,
    impacts: NO_WORDS,
    places: { blockPositions, positions, positionsFrom },
  };
}
