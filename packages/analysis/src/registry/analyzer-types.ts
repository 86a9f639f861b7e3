/**
 * Built-in analyzers there are, one line each.
 */
import { englishAnalyzer } from '../analyzers/english.ts';
import { keywordAnalyzer } from '../analyzers/keyword.ts';
import { patternAnalyzer } from '../analyzers/pattern.ts';
import { simpleAnalyzer } from '../analyzers/simple.ts';
import { standardAnalyzer } from '../analyzers/standard.ts';
import { stopAnalyzer } from '../analyzers/stop.ts';
import { whitespaceAnalyzer } from '../analyzers/whitespace.ts';
import type { AnalyzerType } from '../tokens/component-type.ts';

const ANALYZER_TYPES: readonly AnalyzerType[] = [
  englishAnalyzer,
  keywordAnalyzer,
  patternAnalyzer,
  simpleAnalyzer,
  standardAnalyzer,
  stopAnalyzer,
  whitespaceAnalyzer,
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
