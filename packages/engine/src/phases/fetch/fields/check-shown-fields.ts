/**
 * What a request wants shown is checked when it is searched, so that a search without hits is refused like one with them.
 */
import type { SearchRequest } from '@shoal/query';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import { wantFielddata } from '../../../match/context/wanted-fielddata.ts';
import { checkDocValueCount } from './doc-value-fields.ts';
import { SourceFieldReader } from './source-fields.ts';

/** @throws ShoalError what is wrong with `fields` or `docvalue_fields` on this shard */
export function checkShownFields(ctx: CompileContext, { fields, docValueFields }: SearchRequest): void {
  if (fields.length > 0) new SourceFieldReader(ctx, fields);
  checkDocValueCount(ctx, docValueFields);
  // Values that are made of postings are there before the documents are fetched.
  for (const { pattern } of docValueFields) {
    const field = ctx.mapping.field(pattern);
    if (field !== null) wantFielddata(ctx, field);
  }
}
