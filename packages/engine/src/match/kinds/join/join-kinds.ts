/**
 * Relations of the index that a query names, and the documents of their kinds.
 */
import { type FieldMapping, joinFieldOf, parentIdField, parentKind } from '@shoal/schema';
import { constantWeight } from '../../bits/constant-weight.ts';
import { type CompileContext, queryShardError, utf8Bytes } from '../../context/compile-context.ts';
import { booleanWeight } from '../../scorers/boolean-weight.ts';
import { docsOfTerms, sortedTerms } from '../../term-sets/multi-term-docs.ts';
import type { Weight } from '../../weight/weight.ts';

/** A kind of parents and its children. */
export interface Relation {
  readonly join: FieldMapping;
  readonly parent: string;
  /** Path of the column of the parents' ids. */
  readonly ids: string;
}

/** @throws ShoalError `query_shard_exception` where the index has no join field */
function joinOf(ctx: CompileContext, query: string): FieldMapping {
  const join = joinFieldOf(ctx.mapping);
  if (join === null) throw queryShardError(ctx.shard, `[${query}] no join field has been configured`);
  return join;
}

/** The relation in which a kind is the child; null where there need be none. */
export function relationOfChild(
  ctx: CompileContext,
  query: string,
  { child, ignoresUnmapped }: { readonly child: string; readonly ignoresUnmapped: boolean },
): Relation | null {
  if (ignoresUnmapped && joinFieldOf(ctx.mapping) === null) return null;
  const join = joinOf(ctx, query);
  const parent = parentKind(join, child);
  if (parent !== null) return relation(join, parent);
  if (ignoresUnmapped) return null;
  throw queryShardError(ctx.shard, `[${query}] join field [${join.path}] doesn't hold [${child}] as a child`);
}

/** The relation in which a kind is the parent; null where there need be none. */
export function relationOfParent(
  ctx: CompileContext,
  query: string,
  { parent, ignoresUnmapped }: { readonly parent: string; readonly ignoresUnmapped: boolean },
): Relation | null {
  if (ignoresUnmapped && joinFieldOf(ctx.mapping) === null) return null;
  const join = joinOf(ctx, query);
  const found = relation(join, parent);
  if (found !== null || ignoresUnmapped) return found;
  throw queryShardError(ctx.shard, `[${query}] join field [${join.path}] doesn't hold [${parent}] as a parent`);
}

function relation(join: FieldMapping, parent: string): Relation | null {
  const ids = parentIdField(join, parent);
  return ids && { join, parent, ids: ids.path };
}

/** Documents of some kinds. */
export function kindsWeight({ path }: FieldMapping, kinds: readonly string[]): Weight {
  const terms = sortedTerms(kinds.map(utf8Bytes));
  return constantWeight(
    (view) => docsOfTerms(view, path, terms),
    1,
    `${path}:${kinds.length === 1 ? kinds[0] : `(${kinds.join(' ')})`}`,
  );
}

/** Matches of a query among the documents of some kinds, with its scores. */
export function amongKinds(query: Weight, join: FieldMapping, kinds: readonly string[]): Weight {
  const filter = [kindsWeight(join, kinds)];
  return booleanWeight({ must: [query], filter, should: [], mustNot: [], minimumShouldMatch: 0 });
}
