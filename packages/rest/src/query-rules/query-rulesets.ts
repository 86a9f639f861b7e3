/**
 * `_query_rules`: rulesets, which `rule` queries name, and which of their rules a request would match.
 */
import {
  type CoordinatorContext,
  matchingRules,
  parseQueryRuleset,
  QUERY_RULES_INDEX,
  type QueryRule,
  requiredRuleset,
} from '@shoal/coordinator';
import { illegalArgument, ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { listKept } from '../kept/kept-documents.ts';
import { isJsonObject, requiredBody } from '../request/json-body.ts';
import { checkedRulesetId, deleteRuleset, putRuleset, rulesetBody } from './kept-rulesets.ts';

const PATHS = ['/_query_rules/{ruleset_id}'] as const;
/** Rulesets that a page shows when the request does not say. */
const PAGE_SIZE = 100;

export const putQueryRulesetApi: RestApi = {
  usageName: 'query_ruleset_put_action',
  methods: ['PUT'],
  paths: PATHS,
  privilege: 'cluster:admin/query_rules/put',
  task: null,
  body: 'json',
  params: {},
  handler: async (request, context) => {
    const id = checkedRulesetId(request.params.required('ruleset_id'));
    const result = await putRuleset(context, parseQueryRuleset(id, requiredBody(request)));
    return valueResponse({ result }, result === 'created' ? 201 : 200);
  },
};

export const getQueryRulesetApi: RestApi = {
  usageName: 'query_ruleset_get_action',
  methods: ['GET'],
  paths: PATHS,
  privilege: 'cluster:admin/query_rules/get',
  task: null,
  params: {},
  handler: async (request, context) => {
    const { ruleset } = await requiredRuleset(context, request.params.required('ruleset_id'));
    return valueResponse(rulesetBody(ruleset));
  },
};

export const deleteQueryRulesetApi: RestApi = {
  usageName: 'query_ruleset_delete_action',
  methods: ['DELETE'],
  paths: PATHS,
  privilege: 'cluster:admin/query_rules/delete',
  task: null,
  params: {},
  handler: async (request, context) => {
    await deleteRuleset(context, await requiredRuleset(context, request.params.required('ruleset_id')));
    return valueResponse({ acknowledged: true });
  },
};

export const listQueryRulesetsApi: RestApi = {
  usageName: 'query_ruleset_list_action',
  methods: ['GET'],
  paths: ['/_query_rules'],
  privilege: 'cluster:admin/query_rules/list',
  task: null,
  params: { from: 'integer', size: 'integer' },
  handler: listRulesets,
};

export const testQueryRulesetApi: RestApi = {
  usageName: 'query_ruleset_test_action',
  methods: ['POST'],
  paths: ['/_query_rules/{ruleset_id}/_test'],
  privilege: 'cluster:admin/query_rules/test',
  task: null,
  body: 'json',
  params: {},
  handler: async (request, context) => {
    const { match_criteria: criteria, ...rest } = requiredBody(request);
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) throw malformedTest(`unknown field [${unknown}]`);
    if (criteria == null) throw illegalArgument('Required [match_criteria]');
    if (!isJsonObject(criteria)) throw malformedTest('match_criteria is an object');
    const { ruleset } = await requiredRuleset(context, request.params.required('ruleset_id'));
    const matched = matchingRules(ruleset, criteria).map(({ id }) => ({ ruleset_id: ruleset.id, rule_id: id }));
    return valueResponse({ total_matched_rules: matched.length, matched_rules: matched });
  },
};

function listRulesets(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const kept = { index: QUERY_RULES_INDEX, sort: 'ruleset_id', pageSize: PAGE_SIZE, query: { match_all: {} } };
  return listKept(request, context, kept, (id, body) => {
    const { rules } = parseQueryRuleset(id, body);
    return {
      ruleset_id: id,
      rule_total_count: rules.length,
      rule_criteria_types_counts: counted(rules.flatMap(({ criteria }) => criteria.map(({ type }) => type))),
      rule_type_counts: counted(rules.map(({ type }: QueryRule) => type)),
    };
  });
}

function counted(names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]));
}

function malformedTest(reason: string): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, `[1:1] [test_query_ruleset_request] ${reason}`);
}
