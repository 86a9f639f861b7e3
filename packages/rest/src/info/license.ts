/**
 * `_license`: the licence that clients of Elasticsearch look for. Every feature that is here is free, which they know as a basic
 * licence that never ends.
 */

import type { ClusterState } from '@shoal/cluster-state';
import type { CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { readState } from '../request/managed-state.ts';
import { READ_PARAMETERS } from '../request/manager-timeouts.ts';

/** Elasticsearch's number for "as many as you like" in a basic licence. */
const NODES_MAX = 1_000;

export const licenseApi: RestApi = {
  usageName: 'get_license',
  methods: ['GET'],
  paths: ['/_license', '/_xpack/license'],
  privilege: 'cluster:monitor/xpack/license/get',
  task: null,
  params: {
    ...READ_PARAMETERS,
    accept_enterprise: withoutEffect('boolean', 'the licence is of a type that every client knows'),
  },
  handler: license,
};

export const basicStatusApi: RestApi = {
  usageName: 'get_basic_status',
  methods: ['GET'],
  paths: ['/_license/basic_status'],
  privilege: 'cluster:monitor/xpack/license/basic_status',
  task: null,
  params: {},
  // It is one already.
  handler: async (): Promise<HttpResponse> => valueResponse({ eligible_to_start_basic: false }),
};

export const trialStatusApi: RestApi = {
  usageName: 'get_trial_status',
  methods: ['GET'],
  paths: ['/_license/trial_status'],
  privilege: 'cluster:monitor/xpack/license/trial_status',
  task: null,
  params: {},
  // There is nothing more to try.
  handler: async (): Promise<HttpResponse> => valueResponse({ eligible_to_start_trial: false }),
};

async function license(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await readState(request, context);
  return valueResponse({ license: licenseBody(state) });
}

function licenseBody(state: ClusterState): Readonly<Record<string, unknown>> {
  return {
    ...licenseSummary(state),
    issue_date: new Date(0).toISOString(),
    issue_date_in_millis: 0,
    max_nodes: NODES_MAX,
    issued_to: state.clusterName,
    issuer: 'elasticsearch',
    start_date_in_millis: -1,
  };
}

/** What `_xpack` shows of the licence. */
export function licenseSummary(state: ClusterState): Readonly<Record<string, unknown>> {
  return { status: 'active', uid: state.metadata.clusterUuid, type: 'basic' };
}
