/**
 * `_flush`: commits what was written and cuts the translog.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { ShoalError } from '@shoal/core';
import type { HttpRequest, HttpResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../request/indices-options-parameters.ts';
import { maintainRequest } from './maintain-request.ts';

export const flushApi: RestApi = {
  usageName: 'flush_action',
  methods: ['POST', 'GET'],
  paths: ['/_flush', '/{index}/_flush'],
  privilege: 'indices:admin/flush',
  task: null,
  params: { ...INDICES_OPTIONS_PARAMETERS, force: 'boolean', wait_if_ongoing: 'boolean' },
  handler: flush,
};

async function flush(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const isForced = params.boolean('force', false);
  if (isForced && !params.boolean('wait_if_ongoing', true)) {
    throw new ShoalError(
      'action_request_validation_exception',
      400,
      'Validation Failed: 1: wait_if_ongoing must be true for a force flush;',
    );
  }
  return maintainRequest(isForced ? 'force_flush' : 'flush', request, context);
}
