/** `DELETE _scripts/{id}`: forgets a stored script. */
import { valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';

export const deleteScriptApi: RestApi = {
  usageName: 'delete_stored_script_action',
  methods: ['DELETE'],
  paths: ['/_scripts/{id}'],
  privilege: 'cluster:admin/script/delete',
  task: null,
  params: CHANGE_PARAMETERS,
  handler: async (request, context) => {
    const id = request.params.required('id');
    const { acknowledged } = await context.cluster.admin.deleteStoredScripts({ ...managerTimeouts(request), id });
    return valueResponse({ acknowledged });
  },
};
