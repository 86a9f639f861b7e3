/**
 * Patterns in the letters of a field's words.
 */
import type { FieldMapping } from '@shoal/schema';
import type { CompileContext } from '../context/compile-context.ts';
import { searchAnalyzer } from './compile-full-text.ts';

/** A pattern is not cut into words, but its letters change as those of the field's words do. */
export function foldedPattern(ctx: CompileContext, field: FieldMapping, analyzer: string | null, text: string): string {
  const found = searchAnalyzer(ctx, field, analyzer);
  return text.replace(/(\\[\s\S]|[*?]+)|(?:[^\\*?]|\\$)+/g, (part, operator: string | undefined) =>
    operator === undefined ? found.normalize(part) : part,
  );
}
