/**
 * `POST _cluster/voting_config_exclusions`: nodes that are about to leave lose their vote.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { emptyResponse, type HttpRequest, type HttpResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';

export const addVotingExclusionsApi: RestApi = {
  usageName: 'add_voting_config_exclusions_action',
  methods: ['POST'],
  paths: ['/_cluster/voting_config_exclusions'],
  privilege: 'cluster:admin/voting_config/add_exclusions',
  task: null,
  params: { ...CHANGE_PARAMETERS, node_ids: 'list', node_names: 'list' },
  handler: addVotingExclusions,
};

async function addVotingExclusions(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const nodeIds = request.params.list('node_ids');
  const nodeNames = request.params.list('node_names');
  if ((nodeIds.length === 0) === (nodeNames.length === 0)) {
    throw illegalArgument(
      'Please set node identifiers correctly. One and only one of [node_name], [node_names] and [node_ids] has to be set',
    );
  }
  await context.cluster.admin.addVotingConfigExclusions({ ...managerTimeouts(request), nodeIds, nodeNames });
  return emptyResponse();
}
