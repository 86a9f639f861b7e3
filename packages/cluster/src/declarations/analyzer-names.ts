/**
 * Analyzers and normalizers that a mapping may name: the built-in ones and those that the index declares.
 */
import { indexTimeCheck, isBuiltInAnalyzer, LOWERCASE_NORMALIZER } from '@shoal/analysis';
import { checkAnalyzers, type Mapping } from '@shoal/schema';

type FlatSettings = Readonly<Record<string, string>>;

/** Field type whose texts are cut when it is searched as when it is written, by an analyzer that may change. */
const COMPLETION = 'completion';

/** @throws ShoalError for an analyzer that there is not, and for one of searches alone where documents are cut */
export function checkMappingAnalyzers(mapping: Mapping, settings: FlatSettings): void {
  checkAnalyzers(mapping, (name, kind) => isKnownAnalyzer(settings, name, kind));
  const checkIndexTime = indexTimeCheck(settings);
  for (const { analyzer, kind } of mapping.fields.values()) {
    if (analyzer !== '' && kind !== COMPLETION) checkIndexTime(analyzer);
  }
}

function isKnownAnalyzer(settings: FlatSettings, name: string, kind: 'analyzer' | 'normalizer'): boolean {
  if (kind === 'analyzer' ? isBuiltInAnalyzer(name) : name === LOWERCASE_NORMALIZER) return true;
  const prefix = `index.analysis.${kind}.${name}.`;
  return Object.keys(settings).some((key) => key.startsWith(prefix));
}
