/**
 * Rulesets as documents: put, and changed rule by rule, so that no change of another request is lost.
 */
import {
  type CoordinatorContext,
  findRuleset,
  type KeptRuleset,
  QUERY_RULES_INDEX,
  type QueryRule,
  type QueryRuleset,
  queryRuleBody,
  rulesetOf,
} from '@shoal/coordinator';
import { isShoalError, ShoalError, writeJson } from '@shoal/core';
import { createHiddenIndex, writeKept } from '../kept/kept-documents.ts';

/** Attempts to change a ruleset that other requests change at the same time. */
const ATTEMPTS_MAX = 8;
/** Longest id of a ruleset or rule, in bytes. */
const ID_BYTES_MAX = 512;

const MAPPINGS = {
  dynamic: 'strict',
  properties: {
    ruleset_id: { type: 'keyword' },
    // Rules are read whole: none is searched for.
    rules: { type: 'object', enabled: false },
  },
};

/** The ruleset as it is shown. */
export function rulesetBody({ id, rules }: QueryRuleset): Readonly<Record<string, unknown>> {
  return { ruleset_id: id, rules: rules.map(queryRuleBody) };
}

/** `created` or `updated`. */
export async function putRuleset(
  context: CoordinatorContext,
  ruleset: QueryRuleset,
  replaced: KeptRuleset | 'any' | null = 'any',
): Promise<string> {
  await createHiddenIndex(context, { name: QUERY_RULES_INDEX, mappings: MAPPINGS });
  const source = writeJson(rulesetBody(ruleset));
  const write = {
    action: replaced === null ? 'create' : 'index',
    index: QUERY_RULES_INDEX,
    id: ruleset.id,
    source,
  } as const;
  return writeKept(
    context,
    replaced === null || replaced === 'any' ? write : { ...write, conditions: ifStill(replaced) },
  );
}

/**
 * Changes the rules of a ruleset; one without rules is deleted, and one that is not there has none.
 *
 * @param change called anew when another request was quicker
 */
export async function changeRules(
  context: CoordinatorContext,
  id: string,
  change: (rules: readonly QueryRule[]) => readonly QueryRule[],
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const kept = await findRuleset(context, id);
    const rules = change(kept?.ruleset.rules ?? []);
    try {
      if (rules.length > 0) await putRuleset(context, rulesetOf(id, rules), kept);
      else if (kept !== null) await deleteRuleset(context, kept);
      return;
    } catch (error) {
      const isLate = isShoalError(error) && error.type === 'version_conflict_engine_exception';
      if (!isLate || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

export async function deleteRuleset(context: CoordinatorContext, kept: KeptRuleset): Promise<void> {
  const { id } = kept.ruleset;
  await writeKept(context, {
    action: 'delete',
    index: QUERY_RULES_INDEX,
    id,
    source: null,
    conditions: ifStill(kept),
  });
}

/** @throws action_request_validation_exception for an id that no document can have */
export function checkedRulesetId(id: string): string {
  if (Buffer.byteLength(id) <= ID_BYTES_MAX) return id;
  const reason = `Validation Failed: 1: ruleset_id is longer than [${ID_BYTES_MAX}] bytes;`;
  throw new ShoalError('action_request_validation_exception', 400, reason);
}

function ifStill({ seqNo, primaryTerm }: KeptRuleset) {
  return { ifSeqNo: seqNo, ifPrimaryTerm: primaryTerm, version: null, versionType: 'internal' } as const;
}
