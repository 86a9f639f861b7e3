/**
 * Analyzers of a field: those that its mapping names, or the runs of their words.
 */
import { type Analyzer, gramAnalyzer } from '@shoal/analysis';
import type { FieldMapping } from '@shoal/schema';

/** Analyzer of the texts of documents. */
export function indexAnalyzer({ grams }: FieldMapping, base: Analyzer): Analyzer {
  return grams === null ? base : gramAnalyzer(base, { ...grams, keepsTrailing: grams.prefixes !== null });
}

/** Analyzer of the texts of queries, which look for whole runs. */
export function queryAnalyzer({ grams }: FieldMapping, base: Analyzer): Analyzer {
  return grams === null ? base : gramAnalyzer(base, { words: grams.words, keepsTrailing: false, prefixes: null });
}
