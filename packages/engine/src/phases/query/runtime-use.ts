/**
 * Which runtime fields a search uses, and which documents it may look at whatever their values are.
 */
import { simpleMatch } from '@shoal/core';
import { type BoolQuery, MATCH_ALL, type QueryNode } from '@shoal/query';
import { derivedMapping, type FieldMapping, type Mapping } from '@shoal/schema';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { compileQuery } from '../../match/registry/compile-query.ts';

const UNSCORED = { boost: 1, isScored: false };

/** Kinds of queries that match documents by others, whose values are wanted although they are no matches. */
const KINDS_OF_OTHERS: ReadonlySet<string> = new Set(['hasChild', 'hasParent']);

/** Runtime fields that a query looks up on this shard. @throws ShoalError what is wrong with the query */
export function fieldsOfQuery(ctx: CompileContext, query: QueryNode): ReadonlySet<string> {
  const used = new Set<string>();
  const { mapping } = ctx;
  const recording = derivedMapping(mapping, {
    field: (name) => {
      const found = mapping.field(name);
      if (found !== null && found.runtime !== null) used.add(found.path);
      return found;
    },
  });
  // What is compiled here is thrown away: nothing of it is prepared, cached or told.
  const { profile: _profile, prepared: _prepared, filters: _filters, fielddata: _fielddata, ...rest } = ctx;
  compileQuery({ ...rest, mapping: recording }, query, UNSCORED);
  return used;
}

/** Runtime fields that a part of a request names, in whatever place. */
export function fieldsNamed({ runtime }: Mapping, part: unknown): readonly FieldMapping[] {
  const texts = new Set<string>();
  visit(part, (value) => void (typeof value === 'string' && texts.add(value)));
  const patterns = [...texts].filter((text) => text.includes('*'));
  return [...runtime.values()].filter(
    ({ path }) => texts.has(path) || patterns.some((pattern) => simpleMatch(pattern, path)),
  );
}

/** True where a part of a request has an object of one of these kinds or types. */
export function hasKind(part: unknown, kinds: ReadonlySet<string>): boolean {
  let isFound = false;
  visit(part, (value) => {
    if (typeof value !== 'object' || value === null) return;
    if (kinds.has(String(Reflect.get(value, 'kind'))) || kinds.has(String(Reflect.get(value, 'type')))) isFound = true;
  });
  return isFound;
}

function visit(value: unknown, see: (value: unknown) => void): void {
  see(value);
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) visit(inner, see);
}

/**
 * A query without regard to runtime fields: it matches all that the query does, and more. Documents beside its matches need not
 * be given to a script.
 */
export function withoutRuntimeFields(ctx: CompileContext, query: QueryNode): QueryNode {
  if (fieldsOfQuery(ctx, query).size === 0) return query;
  return isBool(query) && !hasKind(query, KINDS_OF_OTHERS) ? clausesWithout(ctx, query) : MATCH_ALL;
}

function isBool(query: QueryNode): query is BoolQuery {
  return query.kind === 'bool';
}

function clausesWithout(ctx: CompileContext, query: BoolQuery): QueryNode {
  const isPlain = (clause: QueryNode): boolean => fieldsOfQuery(ctx, clause).size === 0;
  const must = query.must.map((clause) => withoutRuntimeFields(ctx, clause));
  const filter = query.filter.map((clause) => withoutRuntimeFields(ctx, clause));
  const keepsShould = query.should.every(isPlain);
  if (!keepsShould && must.length + filter.length === 0) return MATCH_ALL;
  const rest: BoolQuery = {
    ...query,
    must,
    filter,
    should: keepsShould ? query.should : [],
    mustNot: query.mustNot.filter(isPlain),
    minimumShouldMatch: keepsShould ? query.minimumShouldMatch : null,
  };
  return rest;
}
