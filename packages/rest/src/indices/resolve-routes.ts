/**
 * `_resolve/index`: what an index expression names.
 */

import {
  type CoordinatorContext,
  type IndicesOptions,
  indicesOfAlias,
  READ_INDICES_OPTIONS,
  resolveNames,
} from '@shoal/coordinator';
import { type Route, valueResponse } from '@shoal/http';
import type { IndexMetadata } from '@shoal/protocol';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { READ_PARAMETERS, readState } from '../request/manager-access.ts';

const OPTIONS: IndicesOptions = { ...READ_INDICES_OPTIONS, forbidsClosed: false };

const resolveIndex: Route<CoordinatorContext>['handler'] = async (request, context) => {
  const state = await readState(request, context);
  const options = indicesOptionsOf(request.params, OPTIONS);
  const nowMs = context.runtime.clock.wallMs();
  const { indices, aliases } = resolveNames(state, request.params.required('name'), options, nowMs);
  return valueResponse({
    indices: indices.map(indexBody),
    aliases: aliases.map((name) => ({
      name,
      indices: indicesOfAlias(state, name)
        .map(({ index }) => index.name)
        .sort(),
    })),
    data_streams: [],
  });
};

function indexBody(index: IndexMetadata): Readonly<Record<string, unknown>> {
  const aliases = [...index.aliases.keys()].sort();
  const isHidden = index.settings['index.hidden'] === 'true';
  return {
    name: index.name,
    ...(aliases.length > 0 ? { aliases } : {}),
    attributes: [...(isHidden ? ['hidden'] : []), index.state === 'open' ? 'open' : 'closed'],
  };
}

export const resolveRoutes: readonly Route<CoordinatorContext>[] = [
  {
    methods: ['GET', 'POST'],
    paths: ['/_resolve/index/{name}'],
    params: { ...READ_PARAMETERS, ...INDICES_OPTIONS_PARAMETERS },
    handler: resolveIndex,
  },
];
