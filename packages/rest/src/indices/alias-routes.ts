/**
 * Aliases: look at, add, remove, and several changes at once.
 */

import {
  type CoordinatorContext,
  type IndicesOptions,
  METADATA_INDICES_OPTIONS,
  resolveIndices,
} from '@shoal/coordinator';
import { emptyResponse, type HttpRequest, type HttpResponse, type Route, valueResponse } from '@shoal/http';
import type { AliasChange } from '@shoal/protocol';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { bodyObject, requiredBody } from '../request/json-body.ts';
import {
  CHANGE_PARAMETERS,
  concreteIndices,
  managedState,
  managerTimeouts,
  READ_PARAMETERS,
  readState,
} from '../request/manager-access.ts';
import { addAction, parseAliasActions, removeActions } from './alias-actions.ts';
import { type AliasesAnswer, getAliasesAnswer } from './alias-body.ts';

type Handler = Route<CoordinatorContext>['handler'];

const READ_OPTIONS: IndicesOptions = { ...METADATA_INDICES_OPTIONS, expandsToHidden: true };
const CHANGE_OPTIONS: IndicesOptions = { ...METADATA_INDICES_OPTIONS, allowNoIndices: false };
const READ = { ...READ_PARAMETERS, ...INDICES_OPTIONS_PARAMETERS } as const;

const getAliases: Handler = async (request, context) => {
  const { status, body } = await aliasesAnswer(request, context);
  return valueResponse(body, status);
};

const aliasExists: Handler = async (request, context) => {
  const { status, body } = await aliasesAnswer(request, context);
  return emptyResponse(status === 200 && Object.keys(body).length > 0 ? 200 : 404);
};

async function aliasesAnswer(request: HttpRequest, context: CoordinatorContext): Promise<AliasesAnswer> {
  const state = await readState(request, context);
  const options = indicesOptionsOf(request.params, READ_OPTIONS);
  const found = resolveIndices(state, request.params.string('index'), options, context.runtime.clock.wallMs());
  return getAliasesAnswer(
    found.map(({ index }) => index),
    request.params.list('name'),
  );
}

const putAlias: Handler = async (request, context) => {
  const body = bodyObject(request);
  const alias = request.params.required('name');
  const indices = await targets(request, context);
  return change(
    request,
    context,
    indices.indices.map((index) => addAction(index, alias, body)),
  );
};

const deleteAlias: Handler = async (request, context) => {
  const { state, indices } = await targets(request, context);
  return change(request, context, removeActions(state, indices, request.params.list('name'), true));
};

const updateAliases: Handler = async (request, context) => {
  const body = requiredBody(request);
  const state = await managedState(request, context);
  return change(request, context, parseAliasActions(body, state, context.runtime.clock.wallMs()));
};

async function targets(
  request: HttpRequest,
  context: CoordinatorContext,
): Promise<{
  readonly state: Awaited<ReturnType<typeof managedState>>;
  readonly indices: readonly string[];
}> {
  const state = await managedState(request, context);
  const nowMs = context.runtime.clock.wallMs();
  return { state, indices: concreteIndices(state, request.params.required('index'), CHANGE_OPTIONS, nowMs) };
}

async function change(
  request: HttpRequest,
  context: CoordinatorContext,
  actions: readonly AliasChange[],
): Promise<HttpResponse> {
  const { acknowledged } =
    actions.length === 0
      ? { acknowledged: true }
      : await context.cluster.admin.updateAliases({ ...managerTimeouts(request), actions });
  return valueResponse({ acknowledged, errors: false });
}

const READ_PATHS: readonly string[] = ['/_alias/{name}', '/{index}/_alias/{name}'];
const ONE_ALIAS_PATHS: readonly string[] = ['/{index}/_alias/{name}', '/{index}/_aliases/{name}'];

export const aliasRoutes: readonly Route<CoordinatorContext>[] = [
  {
    methods: ['GET'],
    paths: ['/_alias', '/_aliases', '/{index}/_alias', ...READ_PATHS],
    params: READ,
    handler: getAliases,
  },
  { methods: ['HEAD'], paths: READ_PATHS, params: { ...READ, index: 'string' }, handler: aliasExists },
  { methods: ['PUT', 'POST'], paths: ONE_ALIAS_PATHS, params: CHANGE_PARAMETERS, body: 'json', handler: putAlias },
  { methods: ['DELETE'], paths: ONE_ALIAS_PATHS, params: CHANGE_PARAMETERS, handler: deleteAlias },
  { methods: ['POST'], paths: ['/_aliases'], params: CHANGE_PARAMETERS, body: 'json', handler: updateAliases },
];
