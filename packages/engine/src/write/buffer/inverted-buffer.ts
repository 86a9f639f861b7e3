/**
 * Terms of one field while documents come in: a stream of (term, position) entries, inverted only when it is sealed.
 *
 * Appending a number a token and counting once at the end is several times faster than a list a term, and leaves no
 * object a posting on the heap. This is the plain form, in typed arrays; `KernelInvertedBuffer` does the same in kernels and
 * is tested against it.
 */
import { type AsciiWordRules, AsciiWords, isAscii } from '@shoal/analysis';
import { GrowableU32 } from '../../bytes/growable-arrays.ts';
import { type HashSecret, OPEN_SECRET } from '../../bytes/hash-secret.ts';
import { type TermEncoding, TermTable } from '../../bytes/term-table.ts';
import type { TextSpan } from '../../field-types/contract/indexed-value.ts';
import type { PostingsShape } from '../../format/postings/written-postings.ts';
import { InvertedSeal } from '../seal/inverted-seal.ts';

/** Tokens between two yields of a seal: a millisecond of work or less. */
const TOKENS_PER_STEP = 32_768;

export interface InvertedBuffer {
  readonly sizeBytes: number;
  /** Adds a term to a document; answers its number. Docs never descend; positions ascend within a document. */
  add(doc: number, term: string, position: number): number;
  /** Adds a term by its number. */
  addKnown(doc: number, number: number, position: number): void;
  /**
   * Adds the words of a text of plain ASCII, from `position` on: how many they were; -1, and nothing was done, when there are
   * other characters.
   */
  addAsciiText(doc: number, text: string | TextSpan, rules: AsciiWordRules, position: number): number;
  /** The last document that a term was added to and that was not taken back; -1 when there is none. */
  lastDocOf(term: string): number;
  /** From now on `doc`, or none if it is -1, is the last document of the term, which was added. */
  setLastDoc(term: string, doc: number): void;
  /**
   * Inverts the stream, with a yield every millisecond or so. Nothing is added afterwards; what it answers is valid until
   * `release`.
   */
  seal(): Generator<void, InvertedSeal>;
  /** Gives back its memory. Nothing may be asked any more. */
  release(): void;
}

export class PlainInvertedBuffer implements InvertedBuffer {
  readonly encoding: TermEncoding;
  readonly shape: PostingsShape;
  private readonly terms: TermTable;
  private readonly tokens = new GrowableU32();
  private readonly tokenPositions: GrowableU32 | null;
  /** Documents with the field, and where their tokens start. */
  private readonly docs = new GrowableU32();
  private readonly starts = new GrowableU32();
  /** Last document of each term, plus one. */
  private readonly lastDocs = new GrowableU32();
  private words: AsciiWords | null = null;
  private lastDoc = -1;

  constructor(encoding: TermEncoding, shape: PostingsShape, secret: HashSecret = OPEN_SECRET) {
    this.terms = new TermTable(secret);
    this.encoding = encoding;
    this.shape = shape;
    this.tokenPositions = shape.hasPositions ? new GrowableU32() : null;
  }

  get sizeBytes(): number {
    return (
      this.terms.sizeBytes +
      this.lastDocs.sizeBytes +
      this.tokens.sizeBytes +
      (this.tokenPositions?.sizeBytes ?? 0) +
      this.docs.sizeBytes * 2
    );
  }

  add(doc: number, term: string, position: number): number {
    const number = this.terms.add(term, this.encoding);
    this.addKnown(doc, number, position);
    return number;
  }

  addAsciiText(doc: number, given: string | TextSpan, rules: AsciiWordRules, position: number): number {
    const text = String(given);
    if (!isAscii(text)) return -1;
    if (this.words?.maxLength !== rules.maxTokenLength) this.words = new AsciiWords(rules.maxTokenLength);
    const { words } = this;
    let next = position;
    for (let at = 0; words.next(text, at); at = words.end) {
      this.addKnown(doc, this.terms.addAscii(text, words.start, words.end, rules.lowercases), next++);
    }
    return next - position;
  }

  addKnown(doc: number, number: number, position: number): void {
    if (doc !== this.lastDoc) {
      this.docs.push(doc);
      this.starts.push(this.tokens.length);
      this.lastDoc = doc;
    }
    this.tokens.push(number);
    this.tokenPositions?.push(position);
    if (number === this.lastDocs.length) this.lastDocs.push(doc + 1);
    else this.lastDocs.values[number] = doc + 1;
  }

  lastDocOf(term: string): number {
    const number = this.terms.find(term, this.encoding);
    return number < 0 ? -1 : this.lastDocs.at(number) - 1;
  }

  setLastDoc(term: string, doc: number): void {
    this.lastDocs.values[this.terms.find(term, this.encoding)] = doc + 1;
  }

  release(): void {}

  *seal(): Generator<void, InvertedSeal> {
    const order = yield* this.terms.sorted();
    yield;
    const rankOf = new Uint32Array(order.length);
    for (let rank = 0; rank < order.length; rank++) rankOf[order[rank] as number] = rank;
    this.starts.push(this.tokens.length);
    const places = yield* this.count(rankOf);
    return yield* this.invert(order, rankOf, places);
  }

  /** Where the documents and positions of each term begin. */
  private *count(rankOf: Uint32Array): Generator<void, Places> {
    const { tokens, docs, starts } = this;
    const docStarts = new Uint32Array(rankOf.length + 1);
    const positionStarts = new Uint32Array(rankOf.length + 1);
    const lastDocs = new Int32Array(rankOf.length).fill(-1);
    for (let d = 0; d < docs.length; d++) {
      const doc = docs.at(d);
      const end = starts.at(d + 1);
      for (let i = starts.at(d); i < end; i++) {
        const rank = rankOf[tokens.at(i)] as number;
        positionStarts[rank + 1] = (positionStarts[rank + 1] as number) + 1;
        if (lastDocs[rank] !== doc) docStarts[rank + 1] = (docStarts[rank + 1] as number) + 1;
        lastDocs[rank] = doc;
        if (i % TOKENS_PER_STEP === TOKENS_PER_STEP - 1) yield;
      }
    }
    for (let rank = 0; rank < rankOf.length; rank++) {
      docStarts[rank + 1] = (docStarts[rank + 1] as number) + (docStarts[rank] as number);
      positionStarts[rank + 1] = (positionStarts[rank + 1] as number) + (positionStarts[rank] as number);
    }
    return { docStarts, positionStarts, lastDocs };
  }

  private *invert(order: Uint32Array, rankOf: Uint32Array, places: Places): Generator<void, InvertedSeal> {
    const { tokens, docs, starts, shape } = this;
    const { docStarts, positionStarts, lastDocs } = places;
    const postings = docStarts[rankOf.length] as number;
    const entries = {
      docStarts,
      docs: new Uint32Array(postings),
      freqs: shape.hasFreqs ? new Uint32Array(postings) : null,
      positionStarts,
      positions: shape.hasPositions ? new Uint32Array(tokens.length) : null,
    };
    const nextDoc = docStarts.slice();
    const nextPosition = positionStarts.slice();
    lastDocs.fill(-1);
    for (let d = 0; d < docs.length; d++) {
      const doc = docs.at(d);
      const end = starts.at(d + 1);
      for (let i = starts.at(d); i < end; i++) {
        const rank = rankOf[tokens.at(i)] as number;
        if (lastDocs[rank] !== doc) {
          lastDocs[rank] = doc;
          const at = nextDoc[rank] as number;
          entries.docs[at] = doc;
          nextDoc[rank] = at + 1;
        }
        if (entries.freqs !== null) {
          const at = (nextDoc[rank] as number) - 1;
          entries.freqs[at] = (entries.freqs[at] as number) + 1;
        }
        if (entries.positions !== null) {
          const at = nextPosition[rank] as number;
          entries.positions[at] = this.tokenPositions?.at(i) ?? 0;
          nextPosition[rank] = at + 1;
        }
        if (i % TOKENS_PER_STEP === TOKENS_PER_STEP - 1) yield;
      }
    }
    return new InvertedSeal({ shape, terms: this.terms, order, ...entries }, docs.length);
  }
}

interface Places {
  readonly docStarts: Uint32Array;
  readonly positionStarts: Uint32Array;
  /** Room for the last document of each term. */
  readonly lastDocs: Int32Array;
}
