/**
 * Built-in analyzers there are, one line each.
 */
import { englishAnalyzer } from '../analyzers/english.ts';
import { fingerprintAnalyzer } from '../analyzers/fingerprint.ts';
import { keywordAnalyzer } from '../analyzers/keyword.ts';
import { LANGUAGE_ANALYZERS } from '../analyzers/language.ts';
import { patternAnalyzer } from '../analyzers/pattern.ts';
import { simpleAnalyzer } from '../analyzers/simple.ts';
import { snowballAnalyzer } from '../analyzers/snowball.ts';
import { chineseAnalyzer, standardAnalyzer } from '../analyzers/standard.ts';
import { stopAnalyzer } from '../analyzers/stop.ts';
import { whitespaceAnalyzer } from '../analyzers/whitespace.ts';
import type { AnalyzerType } from '../tokens/component-type.ts';

export const ANALYZER_TYPES: readonly AnalyzerType[] = [
  chineseAnalyzer,
  englishAnalyzer,
  fingerprintAnalyzer,
  keywordAnalyzer,
  patternAnalyzer,
  simpleAnalyzer,
  snowballAnalyzer,
  standardAnalyzer,
  stopAnalyzer,
  whitespaceAnalyzer,
  ...LANGUAGE_ANALYZERS,
];

/** Name that means `standard` unless an index declares an analyzer of that name. */
const DEFAULT_ANALYZER = 'default';

/** null when no analyzer of this type is built in. */
export function builtInAnalyzer(type: string): AnalyzerType | null {
  const wanted = type === DEFAULT_ANALYZER ? 'standard' : type;
  return ANALYZER_TYPES.find((known) => known.type === wanted) ?? null;
}

/** True when a mapping may name the analyzer without a declaration in the settings of its index. */
export function isBuiltInAnalyzer(name: string): boolean {
  return builtInAnalyzer(name) !== null;
}
