/**
 * `GET /`: answers whatever the cluster's state, so that one can always ask a node who it is.
 */
import { valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { rootBody } from './root-body.ts';

export const mainApi: RestApi = {
  usageName: 'main_action',
  methods: ['GET', 'HEAD'],
  paths: ['/'],
  privilege: 'cluster:monitor/main',
  task: null,
  prettyByDefault: true,
  handler: async (_request, { cluster }) => valueResponse(rootBody(cluster.localNode.name, cluster.state())),
};
