/**
 * `_resolve/index`: what an index expression names.
 */
import { type Route, valueResponse } from '@shoal/http';
import type { IndexMetadata } from '@shoal/protocol';
import type { CoordinatorContext } from '../../coordinator-context.ts';
import {
  INDICES_OPTIONS_PARAMETERS,
  type IndicesOptions,
  indicesOptionsOf,
  READ_INDICES_OPTIONS,
} from '../../indices/indices-options.ts';
import { indicesOfAlias } from '../../indices/resolve-indices.ts';
import { resolveNames } from '../../indices/resolve-names.ts';
import { READ_PARAMETERS, readState } from './manager-access.ts';

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
