/**
 * Requests that would change the licence: a basic one that never ends can neither be started, nor be left for a trial, and a licence of
 * another kind is refused as one whose signature does not hold, since there is no key here to check it with.
 */
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { bodyObject, isJsonObject, type JsonObject } from '../request/json-body.ts';
import { CHANGE_PARAMETERS } from '../request/manager-timeouts.ts';

const TRIAL_TYPES: readonly string[] = ['trial', 'platinum', 'enterprise'];
const ACKNOWLEDGE = { acknowledge: withoutEffect('boolean', 'no licence is changed') } as const;

export const putLicenseApi: RestApi = {
  usageName: 'put_license',
  methods: ['PUT', 'POST'],
  paths: ['/_license'],
  privilege: 'cluster:admin/xpack/license/put',
  task: null,
  body: 'json',
  params: { ...CHANGE_PARAMETERS, ...ACKNOWLEDGE },
  handler: async (request): Promise<HttpResponse> => {
    const { type } = oneLicense(request);
    if (type === 'basic') {
      throw illegalArgument(
        'Installing basic licenses is no longer allowed. Use the POST /_license/start_basic API instead.',
      );
    }
    return valueResponse({ acknowledged: true, license_status: 'invalid' });
  },
};

export const deleteLicenseApi: RestApi = {
  usageName: 'delete_license',
  methods: ['DELETE'],
  paths: ['/_license'],
  privilege: 'cluster:admin/xpack/license/delete',
  task: null,
  params: CHANGE_PARAMETERS,
  // What takes the place of a deleted licence is a basic one, which this is.
  handler: async (): Promise<HttpResponse> => valueResponse({ acknowledged: true }),
};

export const startBasicApi: RestApi = {
  usageName: 'post_start_basic',
  methods: ['POST'],
  paths: ['/_license/start_basic'],
  privilege: 'cluster:admin/xpack/license/start_basic',
  task: null,
  params: { ...CHANGE_PARAMETERS, ...ACKNOWLEDGE },
  handler: async (): Promise<HttpResponse> => {
    const why = 'Operation failed: Current license is basic.';
    return valueResponse({ acknowledged: true, basic_was_started: false, error_message: why }, 403);
  },
};

export const startTrialApi: RestApi = {
  usageName: 'post_start_trial',
  methods: ['POST'],
  paths: ['/_license/start_trial'],
  privilege: 'cluster:admin/xpack/license/start_trial',
  task: null,
  params: {
    ...CHANGE_PARAMETERS,
    acknowledge: 'boolean',
    type: 'string',
  },
  handler: async ({ params }): Promise<HttpResponse> => {
    const type = params.string('type') ?? 'trial';
    if (!TRIAL_TYPES.includes(type)) {
      throw illegalArgument(`Cannot start trial of type [${type}]. Valid trial types are [${TRIAL_TYPES.join(',')}]`);
    }
    return valueResponse(
      {
        acknowledged: params.boolean('acknowledge', false),
        trial_was_started: false,
        error_message: 'Operation failed: Trial was already activated.',
      },
      403,
    );
  },
};

/** @throws illegal_argument_exception for a body without one licence */
function oneLicense(request: HttpRequest): JsonObject {
  if (request.body === null || request.body.length === 0) {
    throw illegalArgument('The license must be provided in the request body');
  }
  const { license, licenses } = bodyObject(request);
  const given: readonly unknown[] = Array.isArray(licenses) ? licenses : [license];
  if (given.length > 1) throw illegalArgument('only one license is supported');
  const [only] = given;
  if (!isJsonObject(only)) throw illegalArgument('license not found');
  return only;
}
