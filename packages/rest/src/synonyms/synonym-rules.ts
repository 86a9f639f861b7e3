/**
 * `_synonyms/{set}/{rule}`: one rule of a synonym set.
 */
import { requiredRule, requiredSet } from '@shoal/cluster';
import { valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { managedState } from '../request/managed-state.ts';
import { MANAGER_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';
import { reloadDetails, ruleOfBody, SYNONYM_CHANGE_PARAMETERS } from './synonym-requests.ts';

const PATHS = ['/_synonyms/{synonymsSet}/{synonymRuleId}'] as const;

export const getSynonymRuleApi: RestApi = {
  usageName: 'synonym_rule_get_action',
  methods: ['GET'],
  paths: PATHS,
  privilege: 'cluster:admin/synonym_rules/get',
  task: null,
  params: MANAGER_PARAMETERS,
  handler: async (request, context) => {
    const { synonymSets } = (await managedState(request, context)).metadata;
    const set = requiredSet(synonymSets, request.params.required('synonymsSet'));
    const { id, synonyms } = requiredRule(set, request.params.required('synonymRuleId'));
    return valueResponse({ id, synonyms });
  },
};

export const putSynonymRuleApi: RestApi = {
  usageName: 'synonym_rule_put_action',
  methods: ['PUT'],
  paths: PATHS,
  privilege: 'cluster:admin/synonym_rules/put',
  task: null,
  body: 'json',
  params: SYNONYM_CHANGE_PARAMETERS,
  handler: async (request, context) => {
    const set = request.params.required('synonymsSet');
    const rule = ruleOfBody(request, request.params.required('synonymRuleId'));
    const { rules } = requiredSet((await managedState(request, context)).metadata.synonymSets, set);
    const isKnown = rules.some(({ id }) => id === rule.id);
    await context.cluster.admin.putSynonymRule({ ...managerTimeouts(request), set, rule });
    const details = await reloadDetails(request, context, set);
    const result = isKnown ? 'updated' : 'created';
    return valueResponse({ result, ...details }, isKnown ? 200 : 201);
  },
};

export const deleteSynonymRuleApi: RestApi = {
  usageName: 'synonym_rule_delete_action',
  methods: ['DELETE'],
  paths: PATHS,
  privilege: 'cluster:admin/synonym_rules/delete',
  task: null,
  params: SYNONYM_CHANGE_PARAMETERS,
  handler: async (request, context) => {
    const set = request.params.required('synonymsSet');
    const ruleId = request.params.required('synonymRuleId');
    await context.cluster.admin.deleteSynonymRule({ ...managerTimeouts(request), set, ruleId });
    return valueResponse({ result: 'deleted', ...(await reloadDetails(request, context, set)) });
  },
};
