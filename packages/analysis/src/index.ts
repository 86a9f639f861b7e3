export { type AnalyzedToken, type AnalyzeRequest, analyzeRequest } from './analyzers/analyze-request.ts';
export { type AnalyzerRegistry, createAnalyzers } from './analyzers/analyzer-registry.ts';
export type { Analyzer } from './tokens/analyzer.ts';
export { type AsciiWordRules, AsciiWords, isAscii } from './tokens/ascii-words.ts';
export { asciiClasses } from './tokens/word-classes.ts';
