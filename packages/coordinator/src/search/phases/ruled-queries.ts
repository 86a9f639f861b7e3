/**
 * `rule` queries: their rulesets are read once, before any shard is asked, and the query put in their place that the rules that
 * match make of them. Retrievers of rules are treated alike: what their rules put on top becomes a `pinned` retriever.
 */
import { illegalArgument, isObject, parseJson, writeJson } from '@shoal/core';
import { RULESETS_MAX } from '@shoal/query';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { requiredRuleset } from '../../query-rules/find-ruleset.ts';
import type { RuledDocument } from '../../query-rules/query-rule.ts';
import { type AppliedRules, appliedRules, type QueryRuleset } from '../../query-rules/query-ruleset.ts';
import type { JsonObject } from './named-objects.ts';

/** Rule queries that one request may have. */
const QUERIES_MAX = 256;
/** Documents that one query puts on top; those behind them are left where they are. */
const PINNED_MAX = 100;
const NAMES: readonly string[] = ['rule', 'rule_query'];
/** What is said beside the rules, and goes to what stands for them. */
const COMMON: Readonly<Record<RuleQuery['kind'], readonly string[]>> = {
  query: ['boost', '_name'],
  retriever: ['rank_window_size', 'filter', 'min_score', '_name'],
};
const CRITERIA = Buffer.from('"match_criteria"');

interface RuleQuery {
  readonly kind: 'query' | 'retriever';
  /** Query or retriever of the hits below. */
  readonly organic: JsonObject;
  readonly criteria: JsonObject;
  readonly rulesetIds: readonly string[];
  /** Boost and name; of a retriever what is said beside the rules. */
  readonly common: JsonObject;
}

/** The body as it was when it has none of these. @throws resource_not_found_exception for a ruleset that is not there */
export async function withAppliedRules(
  context: CoordinatorContext,
  body: Uint8Array | null,
): Promise<Uint8Array | null> {
  if (body === null || !Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(CRITERIA)) return body;
  const root = parseJson(body);
  const found: RuleQuery[] = [];
  collectRules(root, found);
  if (found.length === 0) return body;
  if (found.length > QUERIES_MAX) throw illegalArgument(`more than ${QUERIES_MAX} queries with rules`);
  const rulesets = new Map<string, QueryRuleset>();
  for (const id of new Set(found.flatMap(({ rulesetIds }) => rulesetIds))) {
    rulesets.set(id, (await requiredRuleset(context, id)).ruleset);
  }
  return writeJson(withRules(root, rulesets));
}

/** null for a value that is none, and for one with something wrong, which the parser of queries tells. */
function ruleQueryOf(value: unknown): RuleQuery | null {
  if (!isObject(value)) return null;
  const { organic: query, retriever, match_criteria: criteria, ruleset_ids: ids, ruleset_id: id, ...common } = value;
  const kind = retriever === undefined ? 'query' : 'retriever';
  const organic = retriever ?? query;
  if (kind === 'retriever' && query !== undefined) return null;
  const rulesetIds: unknown = ids ?? (id === undefined ? null : [id]);
  if (!isObject(organic) || !isObject(criteria) || Object.keys(criteria).length === 0) return null;
  if (!Array.isArray(rulesetIds) || rulesetIds.length === 0 || rulesetIds.length > RULESETS_MAX) return null;
  if (!rulesetIds.every((one): one is string => typeof one === 'string' && one !== '')) return null;
  if (Object.keys(common).some((name) => !COMMON[kind].includes(name))) return null;
  return { kind, organic, criteria, rulesetIds, common };
}

function collectRules(value: unknown, into: RuleQuery[]): void {
  if (Array.isArray(value)) for (const item of value) collectRules(item, into);
  else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const rule = NAMES.includes(name) ? ruleQueryOf(inner) : null;
      if (rule !== null) into.push(rule);
      collectRules(inner, into);
    }
  }
}

function withRules(value: unknown, rulesets: ReadonlyMap<string, QueryRuleset>): unknown {
  if (Array.isArray(value)) return value.map((item) => withRules(item, rulesets));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    const rule = NAMES.includes(name) ? ruleQueryOf(inner) : null;
    if (rule === null) return [name, withRules(inner, rulesets)];
    const sets = rule.rulesetIds.flatMap((id) => rulesets.get(id) ?? []);
    const ruled = rule.kind === 'query' ? ruledQuery : ruledRetriever;
    return ruled(withRules(rule.organic, rulesets), appliedRules(sets, rule.criteria), rule.common);
  });
  return Object.fromEntries(entries);
}

/** Name and body of the query that stands for a rule query. */
function ruledQuery(organic: unknown, { pinned, excluded }: AppliedRules, common: JsonObject): [string, unknown] {
  const top = pinned.slice(0, PINNED_MAX).map(namedDocument);
  if (excluded.length === 0 && top.length > 0) return ['pinned', { docs: top, organic, ...common }];
  const must = top.length > 0 ? { pinned: { docs: top, organic } } : organic;
  return ['bool', { must: [must], must_not: excluded.map(leftOut), ...common }];
}

/** Name and body of the retriever that stands for a retriever of rules. */
function ruledRetriever(
  retriever: unknown,
  { pinned, excluded }: AppliedRules,
  { filter, ...common }: JsonObject,
): [string, unknown] {
  const own = filter === undefined ? [] : Array.isArray(filter) ? filter : [filter];
  const left = excluded.length === 0 ? [] : [{ bool: { must_not: excluded.map(leftOut) } }];
  const around = { ...common, filter: [...own, ...left] };
  const docs = pinned.slice(0, PINNED_MAX).map(namedDocument);
  return docs.length > 0
    ? ['pinned', { retriever, docs, ...around }]
    : ['linear', { retrievers: [{ retriever }], ...around }];
}

function namedDocument({ index, id }: RuledDocument): JsonObject {
  return index === null ? { _id: id } : { _index: index, _id: id };
}

function leftOut({ index, id }: RuledDocument): JsonObject {
  const ids = { ids: { values: [id] } };
  return index === null ? ids : { bool: { filter: [ids, { term: { _index: index } }] } };
}
