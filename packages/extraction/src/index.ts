/**
 * Fields out of texts: grok patterns and dissect, and the parts of hosts' names.
 */
export { compileDissectFields, type DissectFields } from './dissect/dissect-fields.ts';
export { compileDissect, type DissectKey, type DissectPattern, dissectText } from './dissect/dissect-pattern.ts';
export { cleanPatterns } from './grok/clean-patterns.ts';
export { type CapturedValue, coerceCapture } from './grok/coerce-capture.ts';
export { type CompiledGrok, type CompileGrokOptions, compileGrok } from './grok/compile-grok.ts';
export { type CaptureType, expandPattern } from './grok/expand-pattern.ts';
export { expectedParts, explainMismatch, type MismatchExplanation } from './grok/explain-mismatch.ts';
export { addPatternText, corePatterns, type PatternLibrary } from './grok/pattern-library.ts';
export {
  compileStrictGrok,
  strictMatch,
  strictPatterns,
  type TypedCapture,
  typedCaptures,
} from './grok/strict-grok.ts';
export { tunedPatterns } from './grok/tuned-patterns.ts';
export { type RegisteredName, registeredName } from './host/public-suffix.ts';
