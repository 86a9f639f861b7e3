/** `GET _script_language` and `GET _script_context`: languages of scripts, and where they may run. */
import { valueResponse } from '@shoal/http';
import { EXPRESSION, EXPRESSION_CONTEXTS, MUSTACHE, SCRIPT_CONTEXTS, TEMPLATE_CONTEXT } from '@shoal/script';
import type { RestApi } from '../api/rest-api.ts';

const NAMES = SCRIPT_CONTEXTS.map(({ name }) => name).toSorted();

export const scriptLanguagesApi: RestApi = {
  usageName: 'script_language_action',
  methods: ['GET'],
  paths: ['/_script_language'],
  privilege: 'cluster:admin/script_language/get',
  task: null,
  params: {},
  handler: () =>
    Promise.resolve(
      valueResponse({
        types_allowed: ['inline', 'stored'],
        language_contexts: [
          { language: EXPRESSION, contexts: EXPRESSION_CONTEXTS.map(({ name }) => name).toSorted() },
          { language: MUSTACHE, contexts: [TEMPLATE_CONTEXT.name] },
          { language: 'painless', contexts: NAMES },
        ],
      }),
    ),
};

export const scriptContextsApi: RestApi = {
  usageName: 'script_context_action',
  methods: ['GET'],
  paths: ['/_script_context'],
  privilege: 'cluster:admin/script_context/get',
  task: null,
  params: {},
  handler: () => Promise.resolve(valueResponse({ contexts: SCRIPT_CONTEXTS.map(contextBody).toSorted(byName) })),
};

interface ContextBody {
  readonly name: string;
  readonly methods: readonly object[];
}

function byName(a: ContextBody, b: ContextBody): number {
  return a.name < b.name ? -1 : 1;
}

function contextBody({ name, returns, variables }: (typeof SCRIPT_CONTEXTS)[number]): ContextBody {
  const params = variables
    .filter(({ isParameter }) => isParameter === true)
    .map((v) => ({ type: v.type, name: v.name }));
  const getters = variables
    .filter(({ isParameter }) => isParameter !== true)
    .map((variable) => ({
      name: variable.name.startsWith('_')
        ? `get${variable.name}`
        : `get${variable.name.charAt(0).toUpperCase()}${variable.name.slice(1)}`,
      return_type: shownType(variable.type),
      params: [],
    }));
  return { name, methods: [{ name: 'execute', return_type: shownType(returns), params }, ...getters] };
}

function shownType(type: string): string {
  return type === 'def' ? 'java.lang.Object' : type;
}
