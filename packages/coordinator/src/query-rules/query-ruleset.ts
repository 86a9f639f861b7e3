/**
 * A ruleset: its rules, those of a request that match, and what they do to it.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import { fits } from './criterion-type.ts';
import { parseQueryRule, type QueryRule, type RuleCriterion, type RuledDocument } from './query-rule.ts';

export interface QueryRuleset {
  readonly id: string;
  /** By priority, those of one priority in the order in which they were given. */
  readonly rules: readonly QueryRule[];
}

/** What a request says of itself, by the names that criteria look for. */
export type MatchCriteria = Readonly<Record<string, unknown>>;

export interface AppliedRules {
  /** Distinct, first the first. */
  readonly pinned: readonly RuledDocument[];
  readonly excluded: readonly RuledDocument[];
}

/** Rules of one ruleset. */
const RULES_MAX = 100;

/** @throws illegal_argument_exception for rules that are too many, or none; what `parseQueryRule` throws */
export function parseQueryRuleset(id: string, body: unknown): QueryRuleset {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ShoalError('x_content_parse_exception', 400, '[1:1] [query_ruleset] Expected START_OBJECT');
  }
  const { rules, ruleset_id: named, ...rest } = body as Readonly<Record<string, unknown>>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    throw new ShoalError('x_content_parse_exception', 400, `[1:1] [query_ruleset] unknown field [${unknown}]`);
  }
  if (named !== undefined && named !== id) throw illegalArgument(`[ruleset_id] [${String(named)}] is not [${id}]`);
  if (rules == null) throw illegalArgument('Required [rules]');
  const items: readonly unknown[] = Array.isArray(rules) ? rules : [rules];
  return rulesetOf(
    id,
    items.map((rule) => parseQueryRule(rule, null)),
  );
}

/** @throws illegal_argument_exception for rules that are too many, or none */
export function rulesetOf(id: string, rules: readonly QueryRule[]): QueryRuleset {
  if (rules.length === 0) throw illegalArgument('rules cannot be empty');
  if (rules.length > RULES_MAX) {
    throw illegalArgument(
      `The number of rules in a ruleset cannot exceed [${RULES_MAX}]. This ruleset has [${rules.length}] rules.`,
    );
  }
  const priority = (rule: QueryRule): number => rule.priority ?? Number.MAX_SAFE_INTEGER;
  return { id, rules: rules.toSorted((a, b) => priority(a) - priority(b)) };
}

/** Rules of a request, in their order. */
export function matchingRules({ rules }: QueryRuleset, criteria: MatchCriteria): readonly QueryRule[] {
  return rules.filter((rule) => isMatch(rule, criteria));
}

export function appliedRules(rulesets: readonly QueryRuleset[], criteria: MatchCriteria): AppliedRules {
  const rules = rulesets.flatMap((ruleset) => matchingRules(ruleset, criteria));
  const docs = (wanted: QueryRule['type']): readonly RuledDocument[] =>
    distinct(rules.flatMap(({ type, docs: own }) => (type === wanted ? own : [])));
  return { pinned: docs('pinned'), excluded: docs('exclude') };
}

/** A criterion that the request says nothing of does not count; a rule of which none counts matches nothing. */
function isMatch({ criteria }: QueryRule, given: MatchCriteria): boolean {
  const counted = criteria.flatMap((criterion) =>
    Object.entries(given)
      .filter(([name]) => criterion.type === 'always' || criterion.metadata === name)
      .map(([, value]) => isMet(criterion, value)),
  );
  return counted.length > 0 && counted.every(Boolean);
}

function isMet({ type, values }: RuleCriterion, value: unknown): boolean {
  return type === 'always' || values.some((wanted) => fits(type, value, wanted));
}

function distinct(docs: readonly RuledDocument[]): readonly RuledDocument[] {
  return [...new Map(docs.map((doc) => [JSON.stringify([doc.index, doc.id]), doc])).values()];
}
