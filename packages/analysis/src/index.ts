export { strippedHtml } from './char-filters/html-strip.ts';
export { JavaPattern } from './patterns/java-pattern.ts';
export { type AnalyzedToken, type AnalyzeRequest, analyzeRequest } from './registry/analyze-request.ts';
export { type AnalyzerRegistry, createAnalyzers } from './registry/analyzer-registry.ts';
export { isBuiltInAnalyzer } from './registry/analyzer-types.ts';
export { checkAnalysis } from './registry/check-analysis.ts';
export type { Analyzer } from './tokens/analyzer.ts';
export { type AsciiWordRules, AsciiWords, isAscii } from './tokens/ascii-words.ts';
export { asciiClasses } from './tokens/word-classes.ts';
