/** `GET _scripts/{id}`: a stored script. */
import { valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { readState } from '../request/managed-state.ts';
import { READ_PARAMETERS } from '../request/manager-timeouts.ts';
import { storedScriptBody } from './stored-script-body.ts';

export const getScriptApi: RestApi = {
  usageName: 'get_stored_scripts_action',
  methods: ['GET'],
  paths: ['/_scripts/{id}'],
  privilege: 'cluster:admin/script/get',
  task: null,
  params: READ_PARAMETERS,
  handler: async (request, context) => {
    const id = request.params.required('id');
    const { storedScripts } = (await readState(request, context)).metadata;
    const stored = storedScripts.get(id);
    if (stored === undefined) return valueResponse({ _id: id, found: false }, 404);
    return valueResponse({ _id: id, found: true, script: storedScriptBody(stored) });
  },
};
