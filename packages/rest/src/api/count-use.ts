/**
 * Counts the requests of an API, for `_nodes/usage`.
 */
import type { RestApi } from './rest-api.ts';

/** The API with its requests counted before its function runs, as `_nodes/usage` counts the request that asks for it. */
export function countUse(api: RestApi): RestApi {
  const { usageName, handler } = api;
  return {
    ...api,
    handler: (request, context) => {
      context.requestUsage.add(usageName);
      return handler(request, context);
    },
  };
}
