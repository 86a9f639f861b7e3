/**
 * The classes that scripts of similarities look at: the query, the field, the term, and the document that is scored.
 */

import { type Invoke, type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { ScriptObject } from '../values/script-object.ts';

const PREFIX = 'org.elasticsearch.index.similarity.ScriptedSimilarity$';
export const SIMILARITY_QUERY_CLASS: string = `${PREFIX}Query`;
export const SIMILARITY_FIELD_CLASS: string = `${PREFIX}Field`;
export const SIMILARITY_TERM_CLASS: string = `${PREFIX}Term`;
export const SIMILARITY_DOC_CLASS: string = `${PREFIX}Doc`;

/** Statistics over the shard, or over all where the search asks for them. */
export interface ScoredStatistics {
  readonly boost: number;
  /** Documents that have the field. */
  readonly docCount: number;
  /** Pairs of a term of the field and a document that has it. */
  readonly sumDocFreq: number;
  /** Tokens of the field. */
  readonly tokenCount: number;
  /** Documents that have the term. */
  readonly docFreq: number;
  /** Occurrences of the term. */
  readonly totalTermFreq: number;
}

/** The query, the field or the term. */
export class StatisticsObject extends ScriptObject {
  readonly javaClass: string;
  readonly statistics: ScoredStatistics;

  constructor(javaClass: string, statistics: ScoredStatistics) {
    super();
    this.javaClass = javaClass;
    this.statistics = statistics;
  }

  text(): string {
    return this.javaClass;
  }
}

/** The document; set anew for each. */
export class ScoredDocument extends ScriptObject {
  readonly javaClass: string = SIMILARITY_DOC_CLASS;
  freq = 0;
  /** Length of the field, rounded as norms keep it. */
  length = 0;

  text(): string {
    return this.javaClass;
  }
}

const whole =
  (read: (statistics: ScoredStatistics) => number): Invoke =>
  (_machine, self: StatisticsObject) =>
    BigInt(Math.trunc(read(self.statistics)));

export const SIMILARITY_CLASSES: readonly ScriptClass[] = [
  scriptClass(SIMILARITY_QUERY_CLASS, ['java.lang.Object'], {
    'float getBoost()': (_m, self: StatisticsObject) => Math.fround(self.statistics.boost),
  }),
  scriptClass(SIMILARITY_FIELD_CLASS, ['java.lang.Object'], {
    'long getDocCount()': whole(({ docCount }) => docCount),
    'long getSumDocFreq()': whole(({ sumDocFreq }) => sumDocFreq),
    'long getSumTotalTermFreq()': whole(({ tokenCount }) => tokenCount),
  }),
  scriptClass(SIMILARITY_TERM_CLASS, ['java.lang.Object'], {
    'long getDocFreq()': whole(({ docFreq }) => docFreq),
    'long getTotalTermFreq()': whole(({ totalTermFreq }) => totalTermFreq),
  }),
  scriptClass(SIMILARITY_DOC_CLASS, ['java.lang.Object'], {
    'float getFreq()': (_m, self: ScoredDocument) => Math.fround(self.freq),
    'int getLength()': (_m, self: ScoredDocument) => self.length,
  }),
];
