/**
 * `_query_rules/{ruleset}/_rule/{rule}`: one rule of a ruleset.
 */
import { parseQueryRule, type QueryRule, queryRuleBody, requiredRuleset } from '@shoal/coordinator';
import { ShoalError } from '@shoal/core';
import { valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { requiredBody } from '../request/json-body.ts';
import { changeRules, checkedRulesetId } from './kept-rulesets.ts';

const PATHS = ['/_query_rules/{ruleset_id}/_rule/{rule_id}'] as const;

export const putQueryRuleApi: RestApi = {
  usageName: 'query_rule_put_action',
  methods: ['PUT'],
  paths: PATHS,
  privilege: 'cluster:admin/query_rules/rule/put',
  task: null,
  body: 'json',
  params: {},
  handler: async (request, context) => {
    const rulesetId = checkedRulesetId(request.params.required('ruleset_id'));
    const rule = parseQueryRule(requiredBody(request), request.params.required('rule_id'));
    let isNew = true;
    await changeRules(context, rulesetId, (rules) => {
      isNew = rules.every(({ id }) => id !== rule.id);
      return isNew ? [...rules, rule] : rules.map((one) => (one.id === rule.id ? rule : one));
    });
    return valueResponse({ result: isNew ? 'created' : 'updated' }, isNew ? 201 : 200);
  },
};

export const getQueryRuleApi: RestApi = {
  usageName: 'query_rule_get_action',
  methods: ['GET'],
  paths: PATHS,
  privilege: 'cluster:admin/query_rules/rule/get',
  task: null,
  params: {},
  handler: async (request, context) => {
    const { ruleset } = await requiredRuleset(context, request.params.required('ruleset_id'));
    return valueResponse(queryRuleBody(requiredRule(ruleset.rules, request.params.required('rule_id'), ruleset.id)));
  },
};

export const deleteQueryRuleApi: RestApi = {
  usageName: 'query_rule_delete_action',
  methods: ['DELETE'],
  paths: PATHS,
  privilege: 'cluster:admin/query_rules/rule/delete',
  task: null,
  params: {},
  handler: async (request, context) => {
    const rulesetId = request.params.required('ruleset_id');
    const ruleId = request.params.required('rule_id');
    await requiredRuleset(context, rulesetId);
    await changeRules(context, rulesetId, (rules) => {
      const deleted = requiredRule(rules, ruleId, rulesetId);
      return rules.filter((rule) => rule !== deleted);
    });
    return valueResponse({ acknowledged: true });
  },
};

function requiredRule(rules: readonly QueryRule[], id: string, rulesetId: string): QueryRule {
  const rule = rules.find((one) => one.id === id);
  if (rule !== undefined) return rule;
  throw new ShoalError('resource_not_found_exception', 404, `rule_id ${id} not found in ruleset ${rulesetId}`);
}
