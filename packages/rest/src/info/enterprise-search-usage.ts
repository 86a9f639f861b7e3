/**
 * What `_xpack/usage` says of search applications, analytics collections and query rules: how many there are.
 */
import { type CoordinatorContext, QUERY_RULES_INDEX } from '@shoal/coordinator';
import { parseJson } from '@shoal/core';
import type { HttpRequest } from '@shoal/http';
import { STREAM_PREFIX } from '../analytics/analytics-template.ts';
import { hasIndex, searchKept } from '../kept/kept-documents.ts';
import { APPLICATIONS_INDEX } from '../kept/search-application-index.ts';
import { isJsonObject, type JsonObject } from '../request/json-body.ts';

/** Rulesets whose rules are counted; there are a handful. */
const RULESETS_MAX = 1_000;

/** @throws what keeps a shard of their indices from being searched */
export async function enterpriseSearchUsage(
  context: CoordinatorContext,
  signal: HttpRequest['signal'],
): Promise<JsonObject> {
  const { dataStreams } = context.cluster.state().metadata;
  const collections = [...dataStreams.keys()].filter((name) => name.startsWith(STREAM_PREFIX));
  const rules = await rulesOfRulesets(context, signal);
  return {
    search_applications: { count: await applicationCount(context, signal) },
    analytics_collections: { count: collections.length },
    query_rulesets: {
      total_count: rules.length,
      total_rule_count: rules.reduce((sum, count) => sum + count, 0),
      min_rule_count: rules.length === 0 ? 0 : Math.min(...rules),
      max_rule_count: Math.max(0, ...rules),
    },
  };
}

async function applicationCount(context: CoordinatorContext, signal: HttpRequest['signal']): Promise<number> {
  if (!hasIndex(context, APPLICATIONS_INDEX)) return 0;
  const { total } = await searchKept(context, APPLICATIONS_INDEX, { size: 0, track_total_hits: true }, signal);
  return total?.value ?? 0;
}

/** How many rules each ruleset has. */
async function rulesOfRulesets(context: CoordinatorContext, signal: HttpRequest['signal']): Promise<readonly number[]> {
  if (!hasIndex(context, QUERY_RULES_INDEX)) return [];
  const { hits } = await searchKept(context, QUERY_RULES_INDEX, { size: RULESETS_MAX }, signal);
  return hits.map(({ hit: { source } }) => {
    const kept = source === null ? null : parseJson(source);
    return isJsonObject(kept) && Array.isArray(kept.rules) ? kept.rules.length : 0;
  });
}
