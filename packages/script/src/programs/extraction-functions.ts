/**
 * Functions of scripts of runtime fields that take texts apart: `grok` and `dissect`. Their patterns are compiled with the script.
 */
import { DoubleNumber, illegalArgument, isShoalError } from '@shoal/core';
import {
  compileDissectFields,
  compileStrictGrok,
  strictMatch,
  strictPatterns,
  type TypedCapture,
  typedCaptures,
} from '@shoal/extraction';
import type { ContextFunction } from '../compile/compiler.ts';
import { EXTRACTOR_CLASS, ScriptExtractor } from '../search-classes/extractor-classes.ts';
import { boxed, JavaFloat } from '../values/java-numbers.ts';

const STRING = 'java.lang.String';

export const EXTRACTION_FUNCTIONS: Readonly<Record<string, ContextFunction>> = {
  grok: { parameters: [STRING], returns: EXTRACTOR_CLASS, takesConstants: true, run: grok },
  dissect: {
    parameters: [STRING, STRING],
    optionalCount: 1,
    returns: EXTRACTOR_CLASS,
    takesConstants: true,
    run: dissect,
  },
};

function grok(pattern: string): ScriptExtractor {
  const compiled = compiledOr('grok', pattern, () => compileStrictGrok(pattern, strictPatterns()));
  return new ScriptExtractor((text) => {
    const found = strictMatch(compiled, text);
    if (found === null) return null;
    return new Map([...typedCaptures(compiled, found)].map(([field, capture]) => [field, boxedCapture(capture)]));
  });
}

/** A number in the form that a script holds one of its type in. */
function boxedCapture({ type, value }: TypedCapture): unknown {
  if (type === 'long' && typeof value === 'number') return BigInt(value);
  const raw = value instanceof DoubleNumber ? value.value : value;
  return type === 'float' ? new JavaFloat(Math.fround(Number(raw))) : boxed(raw, type);
}

function dissect(pattern: string, separator = ''): ScriptExtractor {
  return new ScriptExtractor(compiledOr('dissect', pattern, () => compileDissectFields(pattern, separator)).of);
}

/** @throws illegal_argument_exception that names the pattern */
function compiledOr<T>(language: string, pattern: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw illegalArgument(`error compiling ${language} pattern [${pattern}]: ${error.message}`);
  }
}
