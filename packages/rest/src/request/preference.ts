/**
 * `preference` of every API that takes it: its function is given a context that reads the copies which the request wants.
 */
import { type CoordinatorContext, readPreference } from '@shoal/coordinator';
import type { RestApi } from '../api/rest-api.ts';

/** The API with its preference read; the same API when it takes none. */
export function preferring(api: RestApi): RestApi {
  if (api.params?.preference === undefined) return api;
  return {
    ...api,
    handler: (request, context) => api.handler(request, withPreference(context, request.params.string('preference'))),
  };
}

/** @param preference null: none is given. @throws illegal_argument_exception for one that is none */
export function withPreference(context: CoordinatorContext, preference: string | null): CoordinatorContext {
  if (preference === null) return context;
  const { cluster } = context;
  return { ...context, reads: readPreference(preference, cluster.state(), cluster.localNode.id) };
}
