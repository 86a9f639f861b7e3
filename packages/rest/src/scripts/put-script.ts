/**
 * `PUT _scripts/{id}`: stores a script, once it compiles for its context, where the request names one.
 */

import type { StoredScript } from '@shoal/cluster-state';
import {
  illegalArgument,
  type JsonNode,
  type JsonObjectNode,
  parseJsonTree,
  parsingException,
  ShoalError,
  tokenName,
} from '@shoal/core';
import { valueResponse } from '@shoal/http';
import {
  CONTENT_TYPE,
  compileExpressionScript,
  compileScript,
  EXPRESSION,
  illegalOption,
  JSON_WITH_CHARSET,
  jsonText,
  MUSTACHE,
  SCRIPT_CONTEXTS,
  TEMPLATE_CONTEXT,
  TemplateScript,
  unfitForTemplates,
} from '@shoal/script';
import type { RestApi } from '../api/rest-api.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';

/** Languages of stored scripts. */
const LANGUAGES: ReadonlySet<string> = new Set([EXPRESSION, MUSTACHE, 'painless']);

export const putScriptApi: RestApi = {
  usageName: 'put_stored_script_action',
  methods: ['PUT', 'POST'],
  paths: ['/_scripts/{id}', '/_scripts/{id}/{context}'],
  privilege: 'cluster:admin/script/put',
  task: null,
  body: 'json',
  params: { ...CHANGE_PARAMETERS, context: 'string' },
  handler: async (request, context) => {
    const id = request.params.required('id');
    const contextName = request.params.string('context');
    if (request.body === null || request.body.length === 0) {
      throw new ShoalError('parse_exception', 400, 'request body is required');
    }
    const script = storedScript(id, parseJsonTree(request.body));
    if (contextName !== null) checkContext(script, contextName);
    const { acknowledged } = await context.cluster.admin.putStoredScript({ ...managerTimeouts(request), ...script });
    return valueResponse({ acknowledged });
  },
};

function storedScript(id: string, root: JsonNode | null): StoredScript {
  if (id.includes('#')) throw illegalArgument(`Validation Failed: 1: id cannot contain '#' for stored script;`);
  if (root?.kind !== 'object') throw new ShoalError('parse_exception', 400, 'unexpected token, expected [{]');
  const [member] = root.members;
  if (member === undefined)
    throw new ShoalError('parse_exception', 400, 'unexpected token [END_OBJECT], expected [script]');
  if (member.name !== 'script') {
    throw parsingException(`unexpected field [${member.name}], expected [script]`, member.at);
  }
  if (member.value.kind !== 'object') {
    throw parsingException(`unexpected token [${tokenName(member.value)}], expected [{, <source>]`, member.value.at);
  }
  return { id, ...sourceOf(member.value) };
}

function sourceOf(node: JsonObjectNode): Omit<StoredScript, 'id'> {
  let lang: string | null = null;
  let source: string | null = null;
  let options: Readonly<Record<string, string>> = {};
  for (const { name, at, value } of node.members) {
    if (name === 'lang' && value.kind === 'string') lang = value.value;
    else if (name === 'source' && value.kind === 'string') source = value.value;
    else if (name === 'source' && value.kind === 'object') {
      source = jsonText(value);
      options = { ...options, [CONTENT_TYPE]: JSON_WITH_CHARSET };
    } else if (name === 'options' && value.kind === 'object') options = { ...options, ...optionsOf(value) };
    else throw parsingException(`[stored script source] unknown field [${name}]`, at);
  }
  if (lang === null) throw illegalArgument('must specify lang for stored script');
  if (source === null) throw illegalArgument('must specify source for stored script');
  if (source === '') throw illegalArgument('source cannot be empty');
  if (!LANGUAGES.has(lang)) throw illegalArgument(`unable to put stored script with unsupported lang [${lang}]`);
  return { lang, source, options };
}

/** Options of a script by name. @throws illegal_argument_exception for one that scripts do not have */
function optionsOf(node: JsonObjectNode): Readonly<Record<string, string>> {
  return Object.fromEntries(
    node.members.map(({ name, value }) => {
      const text = value.kind === 'string' ? value.value : '';
      if (name !== CONTENT_TYPE) throw illegalOption(name, text);
      return [name, text];
    }),
  );
}

/** @throws ShoalError where there is no such context, or the script does not compile for it */
function checkContext({ id, lang, source }: StoredScript, name: string): void {
  const found = SCRIPT_CONTEXTS.find((one) => one.name === name);
  const isUnfit = lang === MUSTACHE && name !== TEMPLATE_CONTEXT.name;
  if (found === undefined || isUnfit) {
    throw new ShoalError('illegal_argument_exception', 400, `failed to parse/compile stored script [${id}]`, {
      causedBy: illegalArgument(isUnfit ? unfitForTemplates(name) : `Unknown context [${name}]`),
    });
  }
  if (lang === MUSTACHE) new TemplateScript(source);
  else if (lang === EXPRESSION) compileExpressionScript({ lang, text: source }, found);
  else compileScript({ lang, text: source }, found);
}
