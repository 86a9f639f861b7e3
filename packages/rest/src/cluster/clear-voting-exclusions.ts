/**
 * `DELETE _cluster/voting_config_exclusions`: nodes may vote again.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { emptyResponse, type HttpRequest, type HttpResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';

export const clearVotingExclusionsApi: RestApi = {
  usageName: 'clear_voting_config_exclusions_action',
  methods: ['DELETE'],
  paths: ['/_cluster/voting_config_exclusions'],
  privilege: 'cluster:admin/voting_config/clear_exclusions',
  task: null,
  params: { ...CHANGE_PARAMETERS, wait_for_removal: 'boolean' },
  handler: clearVotingExclusions,
};

async function clearVotingExclusions(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const waitForRemoval = request.params.boolean('wait_for_removal', true);
  await context.cluster.admin.clearVotingConfigExclusions({ ...managerTimeouts(request), waitForRemoval });
  return emptyResponse();
}
