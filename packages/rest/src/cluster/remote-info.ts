/**
 * `_remote/info`: no remote cluster can be registered, and so none is listed.
 */
import { type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';

export const remoteInfoApi: RestApi = {
  usageName: 'remote_cluster_info_action',
  methods: ['GET'],
  paths: ['/_remote/info'],
  privilege: 'cluster:monitor/remote/info',
  task: null,
  params: {},
  handler: async (): Promise<HttpResponse> => valueResponse({}),
};
