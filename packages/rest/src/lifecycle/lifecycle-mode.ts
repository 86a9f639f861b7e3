/**
 * `_ilm/start`, `_ilm/stop` and `_ilm/status`: whether lifecycle policies are executed.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { readState } from '../request/managed-state.ts';
import { CHANGE_PARAMETERS, managerTimeouts, READ_PARAMETERS } from '../request/manager-timeouts.ts';

export const startLifecycleApi: RestApi = modeApi('start', false);
export const stopLifecycleApi: RestApi = modeApi('stop', true);

export const lifecycleStatusApi: RestApi = {
  usageName: 'ilm_get_operation_mode_action',
  methods: ['GET'],
  paths: ['/_ilm/status'],
  privilege: 'cluster:admin/ilm/operation_mode/get',
  task: null,
  params: { ...READ_PARAMETERS, timeout: withoutEffect('time', 'nothing is changed that nodes would have to apply') },
  handler: status,
};

function modeApi(verb: 'start' | 'stop', isStopped: boolean): RestApi {
  return {
    usageName: `ilm_${verb}_action`,
    methods: ['POST'],
    paths: [`/_ilm/${verb}`],
    privilege: 'cluster:admin/ilm/operation_mode/set',
    task: null,
    params: CHANGE_PARAMETERS,
    handler: async (request, context) =>
      valueResponse(await context.cluster.admin.setLifecycleMode({ ...managerTimeouts(request), isStopped })),
  };
}

async function status(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { isStopped } = (await readState(request, context)).metadata.lifecycle;
  return valueResponse({ operation_mode: isStopped ? 'STOPPED' : 'RUNNING' });
}
