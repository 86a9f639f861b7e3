/**
 * Analyzers as segments and queries ask for them: by name, and never in vain.
 */

import type { AnalyzerRegistry } from '@shoal/analysis';
import { ShoalError } from '@shoal/core';
import type { AnalyzerLookup } from './segment-buffer.ts';

/** Finds analyzers by name; a mapping that names an unknown one was refused before. */
export function analyzerLookup(registry: AnalyzerRegistry): AnalyzerLookup {
  return (name, kind) => {
    const analyzer = kind === 'normalizer' ? registry.normalizer(name) : registry.get(name);
    if (analyzer === null)
      throw new ShoalError('illegal_argument_exception', 400, `${kind} [${name}] has not been configured in mappings`);
    return analyzer;
  };
}
