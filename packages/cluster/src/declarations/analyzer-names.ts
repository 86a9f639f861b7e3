/**
 * Analyzers that a mapping may name: the built-in ones and those that the index declares.
 */
import { isBuiltInAnalyzer } from '@shoal/analysis';

export function isKnownAnalyzer(settings: Readonly<Record<string, string>>, name: string): boolean {
  if (isBuiltInAnalyzer(name)) return true;
  const prefix = `index.analysis.analyzer.${name}.`;
  return Object.keys(settings).some((key) => key.startsWith(prefix));
}
