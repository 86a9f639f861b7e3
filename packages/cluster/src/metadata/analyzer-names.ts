/** Analyzers that a mapping may name: the built-in ones and those that the index declares. */

const BUILT_IN: readonly string[] = ['default', 'standard', 'keyword', 'whitespace', 'simple', 'stop', 'english'];

export function isKnownAnalyzer(settings: Readonly<Record<string, string>>, name: string): boolean {
  if (BUILT_IN.includes(name)) return true;
  const prefix = `index.analysis.analyzer.${name}.`;
  return Object.keys(settings).some((key) => key.startsWith(prefix));
}
