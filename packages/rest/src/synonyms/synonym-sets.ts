/**
 * `_synonyms`: sets of synonyms that token filters name, instead of having them in the settings of each index.
 */
import { requiredSet } from '@shoal/cluster';
import { valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { managedState } from '../request/managed-state.ts';
import { CHANGE_PARAMETERS, MANAGER_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';
import { checkedId, listPage, reloadDetails, rulesOfBody, SYNONYM_CHANGE_PARAMETERS } from './synonym-requests.ts';

const LIST_PARAMETERS = { ...MANAGER_PARAMETERS, from: 'integer', size: 'integer' } as const;

export const listSynonymSetsApi: RestApi = {
  usageName: 'synonyms_list_action',
  methods: ['GET'],
  paths: ['/_synonyms'],
  privilege: 'cluster:admin/synonyms_sets/get',
  task: null,
  params: LIST_PARAMETERS,
  handler: async (request, context) => {
    const { from, size } = listPage(request);
    const sets = [...(await managedState(request, context)).metadata.synonymSets.values()];
    const results = sets.slice(from, from + size).map(({ id, rules }) => ({ synonyms_set: id, count: rules.length }));
    return valueResponse({ count: sets.length, results });
  },
};

export const getSynonymSetApi: RestApi = {
  usageName: 'synonyms_get_action',
  methods: ['GET'],
  paths: ['/_synonyms/{synonymsSet}'],
  privilege: 'cluster:admin/synonyms/get',
  task: null,
  params: LIST_PARAMETERS,
  handler: async (request, context) => {
    const { from, size } = listPage(request);
    const { synonymSets } = (await managedState(request, context)).metadata;
    const { rules } = requiredSet(synonymSets, request.params.required('synonymsSet'));
    const shown = rules.slice(from, from + size).map(({ id, synonyms }) => ({ id, synonyms }));
    return valueResponse({ count: rules.length, synonyms_set: shown });
  },
};

export const putSynonymSetApi: RestApi = {
  usageName: 'synonyms_put_action',
  methods: ['PUT'],
  paths: ['/_synonyms/{synonymsSet}'],
  privilege: 'cluster:admin/synonyms/put',
  task: null,
  body: 'json',
  params: SYNONYM_CHANGE_PARAMETERS,
  handler: async (request, context) => {
    const id = checkedId(request.params.required('synonymsSet'));
    const rules = rulesOfBody(request, context);
    const isKnown = (await managedState(request, context)).metadata.synonymSets.has(id);
    await context.cluster.admin.putSynonymSet({ ...managerTimeouts(request), id, rules });
    const details = await reloadDetails(request, context, id);
    const result = isKnown ? 'updated' : 'created';
    return valueResponse({ result, ...details }, isKnown ? 200 : 201);
  },
};

export const deleteSynonymSetApi: RestApi = {
  usageName: 'synonyms_delete_action',
  methods: ['DELETE'],
  paths: ['/_synonyms/{synonymsSet}'],
  privilege: 'cluster:admin/synonyms/delete',
  task: null,
  params: CHANGE_PARAMETERS,
  handler: async (request, context) => {
    const id = request.params.required('synonymsSet');
    const { acknowledged } = await context.cluster.admin.deleteSynonymSet({ ...managerTimeouts(request), id });
    return valueResponse({ acknowledged });
  },
};
