/**
 * How the texts of a field's documents are cut into terms.
 */
import type { Analyzer } from '@shoal/analysis';
import { assert } from '@shoal/core';
import type { FieldMapping } from '@shoal/schema';
import { indexAnalyzer } from '../../field-types/contract/field-analyzer.ts';
import { fieldType } from '../../field-types/field-types.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { normalizerOf } from './normalized-value.ts';

type Analyzers = Pick<CompileContext, 'analyzers'>;

/** Analyzer of a field; fields that are not cut into words have one whose only term is the whole text. */
export function fieldAnalyzer(ctx: Analyzers, field: FieldMapping): Analyzer {
  if (fieldType(field.kind).textQueries === 'whole') {
    return normalizerOf(ctx, field) ?? analyzerNamed(ctx, 'keyword');
  }
  return indexAnalyzer(field, analyzerNamed(ctx, field.analyzer));
}

/** Analyzer that a mapping names. */
export function analyzerNamed({ analyzers }: Analyzers, name: string): Analyzer {
  const found = analyzers.get(name);
  assert(found !== null, `the mapping names an analyzer [${name}] that there is not`);
  return found;
}
