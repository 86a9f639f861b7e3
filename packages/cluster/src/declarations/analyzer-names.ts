/**
 * Analyzers and normalizers that a mapping may name: the built-in ones and those that the index declares.
 */
import { isBuiltInAnalyzer, LOWERCASE_NORMALIZER } from '@shoal/analysis';

export function isKnownAnalyzer(
  settings: Readonly<Record<string, string>>,
  name: string,
  kind: 'analyzer' | 'normalizer',
): boolean {
  if (kind === 'analyzer' ? isBuiltInAnalyzer(name) : name === LOWERCASE_NORMALIZER) return true;
  const prefix = `index.analysis.${kind}.${name}.`;
  return Object.keys(settings).some((key) => key.startsWith(prefix));
}
