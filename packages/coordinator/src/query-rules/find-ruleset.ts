/**
 * Where rulesets are kept: a document each, under the id of the ruleset, in one hidden index.
 */
import { parseJson, ShoalError } from '@shoal/core';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { executeGet } from '../documents/execute-get.ts';
import { parseQueryRuleset, type QueryRuleset } from './query-ruleset.ts';

export const QUERY_RULES_INDEX = '.query-rules';

/** A ruleset, and which write of its document made it. */
export interface KeptRuleset {
  readonly ruleset: QueryRuleset;
  readonly seqNo: number;
  readonly primaryTerm: number;
}

/** null when there is none. */
export async function findRuleset(context: CoordinatorContext, id: string): Promise<KeptRuleset | null> {
  if (!context.cluster.state().metadata.indices.has(QUERY_RULES_INDEX)) return null;
  const key = { index: QUERY_RULES_INDEX, id, routing: null };
  const { document } = await executeGet(context, key, { realtime: true, refresh: false });
  if (document === null || document.source === null) return null;
  const { seqNo, primaryTerm, source } = document;
  return { ruleset: parseQueryRuleset(id, parseJson(source)), seqNo, primaryTerm };
}

/** @throws resource_not_found_exception */
export async function requiredRuleset(context: CoordinatorContext, id: string): Promise<KeptRuleset> {
  const kept = await findRuleset(context, id);
  if (kept !== null) return kept;
  throw new ShoalError('resource_not_found_exception', 404, `query ruleset [${id}] not found`);
}
