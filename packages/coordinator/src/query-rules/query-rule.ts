/**
 * A rule of a ruleset: documents that are put above the matches of a query or left out of them, and for which requests.
 *
 * Rules are read here from requests and from the documents in which they are kept, by the same checks.
 */
import { illegalArgument, isObject, ShoalError } from '@shoal/core';
import { CRITERION_TYPES, type CriterionType } from './criterion-type.ts';

export type RuleType = 'pinned' | 'exclude';

export interface RuleCriterion {
  readonly type: CriterionType;
  /** Name of the criterion of a request that it looks at; null: whatever they are. */
  readonly metadata: string | null;
  /** One of them must fit; empty for `always`. */
  readonly values: readonly (string | number)[];
}

/** Document that a rule is about. */
export interface RuledDocument {
  /** null: of any index. */
  readonly index: string | null;
  readonly id: string;
}

export interface QueryRule {
  readonly id: string;
  readonly type: RuleType;
  readonly criteria: readonly RuleCriterion[];
  /** At least one. */
  readonly docs: readonly RuledDocument[];
  /** Whether the documents are named by ids alone, as they are shown. */
  readonly namesIds: boolean;
  /** Rules of a lower one come first, those without any last. */
  readonly priority: number | null;
}

type Json = Readonly<Record<string, unknown>>;

/** Documents of one rule. */
const DOCS_MAX = 100;
const PRIORITY_MAX = 1_000_000;
const MEMBERS: readonly string[] = ['rule_id', 'type', 'criteria', 'actions', 'priority'];

/**
 * @param given id that the path of the request has; null: the rule says it
 * @throws x_content_parse_exception, parse_exception, illegal_argument_exception for what is no rule
 */
export function parseQueryRule(value: unknown, given: string | null): QueryRule {
  if (!isObject(value)) throw malformed('query_rule', 'Expected START_OBJECT');
  const unknown = Object.keys(value).find((key) => !MEMBERS.includes(key));
  if (unknown !== undefined) throw malformed('query_rule', `unknown field [${unknown}]`);
  const { criteria = null, actions = null } = value;
  const missing = [
    ...(value['type'] == null ? ['type'] : []),
    ...(criteria === null ? ['criteria'] : []),
    ...(actions === null ? ['actions'] : []),
  ];
  if (missing.length > 0) throw illegalArgument(`Required [${missing.join(', ')}]`);
  const type = typeOf(value['type']);
  const id = given ?? value['rule_id'] ?? '';
  if (typeof id !== 'string' || id === '') throw illegalArgument('rule_id cannot be null or blank');
  const items: readonly unknown[] = Array.isArray(criteria) ? criteria : [criteria];
  if (items.length === 0) throw illegalArgument('criteria cannot be empty');
  const read = items.map(parseCriterion);
  return { id, type, criteria: read, ...documentsOf(type, actions), priority: priorityOf(value['priority'] ?? null) };
}

/** A rule as it is kept and shown. */
export function queryRuleBody(rule: QueryRule): Json {
  return {
    rule_id: rule.id,
    type: rule.type,
    criteria: rule.criteria.map(({ type, metadata, values }) => ({
      type,
      ...(metadata === null ? {} : { metadata }),
      ...(values.length === 0 ? {} : { values }),
    })),
    actions: rule.namesIds
      ? { ids: rule.docs.map(({ id }) => id) }
      : { docs: rule.docs.map(({ index, id }) => ({ ...(index === null ? {} : { _index: index }), _id: id })) },
    ...(rule.priority === null ? {} : { priority: rule.priority }),
  };
}

function typeOf(value: unknown): RuleType {
  const type = typeof value === 'string' ? value.toLowerCase() : null;
  if (type === 'pinned' || type === 'exclude') return type;
  throw illegalArgument(`Unknown QueryRuleType: ${String(value)}`);
}

function parseCriterion(value: unknown): RuleCriterion {
  if (!isObject(value)) throw malformed('query_rule', "criteria doesn't support values of this type");
  const { type: named = null, metadata = null, values = null, ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw malformed('query_rule_criteria', `unknown field [${unknown}]`);
  if (named === null) throw illegalArgument('Required [type]');
  const type = CRITERION_TYPES.find((known) => known === String(named).toLowerCase());
  if (type === undefined) throw illegalArgument(`Unknown QueryRuleCriteriaType: ${String(named)}`);
  const list: readonly unknown[] = values === null ? [] : Array.isArray(values) ? values : [values];
  const texts = list.map((one) => {
    if (typeof one === 'string' || typeof one === 'number') return one;
    if (typeof one === 'bigint') return Number(one);
    throw malformed('query_rule_criteria', '[values] are texts or numbers');
  });
  if (type !== 'always' && (typeof metadata !== 'string' || metadata === ''))
    throw illegalArgument('criteriaMetadata cannot be blank');
  if (type !== 'always' && texts.length === 0) throw illegalArgument('criteriaValues cannot be null or empty');
  return { type, metadata: typeof metadata === 'string' ? metadata : null, values: texts };
}

function documentsOf(type: RuleType, actions: unknown): Pick<QueryRule, 'docs' | 'namesIds'> {
  if (!isObject(actions)) throw malformed('query_rule', "actions doesn't support values of this type");
  const { ids, docs, ...rest } = actions;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw malformed('query_rule', `unknown action [${unknown}]`);
  const named = ids ?? docs;
  if (named == null || (ids !== undefined && docs !== undefined)) {
    throw unfit(`${type} query rule actions must contain only one of either ids or docs`);
  }
  if (!Array.isArray(named)) throw unfit(`${type} query rule actions must be a list`);
  if (named.length === 0) throw unfit(`${type} query rule actions cannot be empty`);
  if (named.length > DOCS_MAX) throw unfit(`${type} documents cannot exceed ${DOCS_MAX}`);
  const namesIds = ids !== undefined;
  return { namesIds, docs: named.map((one: unknown) => (namesIds ? ofAnyIndex(one) : ruledDocument(one))) };
}

function ofAnyIndex(id: unknown): RuledDocument {
  if (typeof id === 'string') return { index: null, id };
  throw unfit('ids of query rule actions must be strings');
}

function ruledDocument(value: unknown): RuledDocument {
  const { _index: index = null, _id: id, ...rest } = isObject(value) ? value : {};
  const isRead = typeof id === 'string' && (index === null || typeof index === 'string');
  if (!isRead || Object.keys(rest).length > 0) throw unfit('docs of query rule actions have an [_id] and an [_index]');
  return { index, id };
}

function priorityOf(value: unknown): number | null {
  if (value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value))
    throw malformed('query_rule', 'failed to parse field [priority]');
  if (value >= 0 && value <= PRIORITY_MAX) return value;
  throw illegalArgument(`Priority was ${value}, must be between 0 and ${PRIORITY_MAX}`);
}

function malformed(parser: string, reason: string): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, `[1:1] [${parser}] ${reason}`);
}

function unfit(reason: string): ShoalError {
  return new ShoalError('parse_exception', 400, reason);
}
