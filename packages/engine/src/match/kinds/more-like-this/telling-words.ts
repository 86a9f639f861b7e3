/**
 * The most telling words of texts and documents: those that pass the limits of the query, the best of them by tf–idf over the shard.
 *
 * Lucene's MoreLikeThis, figure for figure: the words of all texts are weighed together, those of documents field by field.
 */
import type { Analyzer } from '@shoal/analysis';
import type { LikedDocument, LikedTerms, MoreLikeThisQuery } from '@shoal/query';
import { type CompileContext, utf8Bytes } from '../../context/compile-context.ts';
import { StatisticsCache } from '../../scorers/statistics-cache.ts';
import { inHashOrder } from './hash-order.ts';
import { LeastFirstHeap } from './least-first-heap.ts';

export interface TellingWord {
  readonly field: string;
  readonly word: string;
  /** Factor on the score of the word. */
  readonly boost: number;
}

/** Fields that are searched, at least one, and how texts are cut for them. */
export interface LikedFields {
  readonly paths: readonly string[];
  readonly analyzer: Analyzer;
}

interface WeighedWord {
  readonly field: string;
  readonly word: string;
  /** tf–idf. */
  readonly weight: number;
}

/** Tokens of each text that are looked at. */
const TOKENS_MAX = 5_000;

export class TellingWords {
  private readonly ctx: CompileContext;
  private readonly query: MoreLikeThisQuery;
  private readonly fields: LikedFields;
  /** Statistics of this shard, whatever others scores are made from. */
  private readonly statistics: StatisticsCache;
  private readonly stopWords: ReadonlySet<string>;
  /** Words that are not looked for, by field. */
  private readonly unlike = new Map<string, Set<string>>();

  constructor(ctx: CompileContext, query: MoreLikeThisQuery, fields: LikedFields) {
    this.ctx = ctx;
    this.query = query;
    this.fields = fields;
    this.statistics = new StatisticsCache(ctx.searcher);
    this.stopWords = new Set(query.stopWords);
    for (const text of query.unlikeTexts) {
      for (const word of this.wordsOf(text, Number.POSITIVE_INFINITY)) this.skip(this.textField, word);
    }
    for (const { field, terms } of this.termsOf(query.unlikeDocuments)) {
      for (const word of terms) this.skip(field, word);
    }
  }

  /** Least telling first. */
  ofTexts(): readonly TellingWord[] {
    const counts = new Map<string, number>();
    for (const text of this.query.likeTexts) {
      for (const word of this.wordsOf(text, TOKENS_MAX)) this.count(counts, this.textField, word, 1);
    }
    return this.chosen(counts, this.fields.paths);
  }

  /** Field by field, least telling first. */
  ofDocuments(): readonly TellingWord[] {
    const byField = new Map<string, Map<string, number>>();
    for (const { field, terms, frequencies } of this.termsOf(this.query.likeDocuments)) {
      const counts = byField.get(field) ?? new Map<string, number>();
      byField.set(field, counts);
      for (const [i, word] of terms.entries()) this.count(counts, field, word, frequencies[i] ?? 0);
    }
    return inHashOrder([...byField.keys()]).flatMap((field) => this.chosen(byField.get(field) ?? new Map(), [field]));
  }

  /** Field whose analysis and unlike words are those of texts. */
  private get textField(): string {
    return this.fields.paths[0] ?? '';
  }

  private termsOf(documents: readonly LikedDocument[]): readonly LikedTerms[] {
    const { index } = this.ctx.shard;
    return documents.flatMap(({ found }) =>
      found.filter((one) => one.index === null || one.index === index).flatMap(({ fields }) => fields),
    );
  }

  private wordsOf(text: string, wordsMax: number): readonly string[] {
    const words: string[] = [];
    this.fields.analyzer.analyze(text, (word) => {
      if (words.length < wordsMax) words.push(word);
    });
    return words;
  }

  private skip(field: string, word: string): void {
    const words = this.unlike.get(field);
    if (words === undefined) this.unlike.set(field, new Set([word]));
    else words.add(word);
  }

  private count(counts: Map<string, number>, field: string, word: string, frequency: number): void {
    const { minWordLength, maxWordLength } = this.query;
    if (minWordLength > 0 && word.length < minWordLength) return;
    if (maxWordLength > 0 && word.length > maxWordLength) return;
    if (this.stopWords.has(word) || this.unlike.get(field)?.has(word) === true) return;
    counts.set(word, (counts.get(word) ?? 0) + frequency);
  }

  /** @param paths fields of which each word is looked for in the one that has it most often */
  private chosen(counts: ReadonlyMap<string, number>, paths: readonly string[]): readonly TellingWord[] {
    const { minTermFreq, minDocFreq, maxDocFreq, maxQueryTerms, boostTerms } = this.query;
    const heap = new LeastFirstHeap<WeighedWord>(Math.min(maxQueryTerms, counts.size));
    for (const word of inHashOrder([...counts.keys()])) {
      const frequency = counts.get(word) ?? 0;
      if (minTermFreq > 0 && frequency < minTermFreq) continue;
      const { field, docFreq } = this.commonest(word, paths);
      if (docFreq === 0 || (minDocFreq > 0 && docFreq < minDocFreq) || docFreq > maxDocFreq) continue;
      heap.offer({ field, word, weight: Math.fround(frequency * this.idf(docFreq)) });
    }
    const words = heap.drain();
    const [least] = words;
    return words.map(({ field, word, weight }) => {
      // Weights are shown relative to the least of them.
      const boost = boostTerms === 0 ? 1 : Math.fround(Math.fround(boostTerms * weight) / (least?.weight ?? 1));
      return { field, word, boost };
    });
  }

  private commonest(word: string, paths: readonly string[]): { readonly field: string; readonly docFreq: number } {
    const term = utf8Bytes(word);
    let found = { field: paths[0] ?? '', docFreq: 0 };
    for (const field of paths) {
      const { docFreq } = this.statistics.term(field, term);
      if (docFreq > found.docFreq) found = { field, docFreq };
    }
    return found;
  }

  /**
   * Nested objects count as documents, as they are to Lucene.
   *
   * @see Salton's tf–idf as Lucene's `ClassicSimilarity` has it
   */
  private idf(docFreq: number): number {
    const { liveCount, nestedCount = 0 } = this.ctx.searcher;
    return Math.fround(Math.log((liveCount + nestedCount + 1) / (docFreq + 1)) + 1);
  }
}
