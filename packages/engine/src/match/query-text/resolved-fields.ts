/**
 * Names and patterns of fields in a query text, or given with it, to the fields of the index.
 */
import { illegalArgument, inJavaHashOrder } from '@shoal/core';
import type { BoostedField, Query } from '@shoal/query';
import { type CompileContext, fieldNamesMatching } from '../context/compile-context.ts';
import { CLAUSES_MAX } from '../term-sets/clause-limits.ts';

/** Boosts of fields by path. A name that is not mapped is among them: it asks for what no document has. */
export type FieldBoosts = ReadonlyMap<string, number>;

/** @param suffix ending of names that are taken instead where such fields are mapped; null: none */
export function resolveFields(ctx: CompileContext, given: readonly BoostedField[], suffix: string | null): FieldBoosts {
  const resolved = new Map<string, number>();
  for (const { pattern, boost } of given) {
    for (const path of resolvePattern(ctx, pattern, suffix)) resolved.set(path, (resolved.get(path) ?? 1) * boost);
  }
  const ordered = inJavaHashOrder(resolved.keys()).map((path) => [path, resolved.get(path) ?? 1] as const);
  return checkCount(new Map(ordered), null);
}

/** One name or pattern of a query text. */
export function resolveField(ctx: CompileContext, pattern: string, suffix: string | null): FieldBoosts {
  return checkCount(new Map([...resolvePattern(ctx, pattern, suffix)].map((path) => [path, 1])), pattern);
}

/** Fields under other names: each of them, or the one whose name has the suffix too. */
export function suffixedFields(ctx: CompileContext, fields: FieldBoosts, suffix: string): FieldBoosts {
  return new Map([...fields].map(([path, boost]) => [ctx.mapping.field(path + suffix)?.path ?? path, boost]));
}

/** What `make` asks of each field, with the boost of the field; null: nothing. */
export function queriesOfFields(fields: FieldBoosts, make: (name: string) => Query | null): readonly Query[] {
  return [...fields].flatMap(([name, boost]): Query[] => {
    const query = make(name);
    return query === null ? [] : [boost === 1 ? query : { ...query, boost }];
  });
}

function resolvePattern(ctx: CompileContext, pattern: string, suffix: string | null): ReadonlySet<string> {
  const { mapping } = ctx;
  const names = pattern.includes('*') ? fieldNamesMatching(mapping, pattern) : [pattern];
  const suffixed = (name: string): string | undefined =>
    suffix === null ? undefined : mapping.field(name + suffix)?.path;
  return new Set(names.map((name) => suffixed(name) ?? mapping.field(name)?.path ?? name));
}

function checkCount(fields: FieldBoosts, pattern: string | null): FieldBoosts {
  if (fields.size <= CLAUSES_MAX) return fields;
  const which = pattern === null ? '' : `for [${pattern}] `;
  throw illegalArgument(`field expansion ${which}matches too many fields, limit: ${CLAUSES_MAX}, got: ${fields.size}`);
}
