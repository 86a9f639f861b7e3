/** `POST _scripts/painless/_execute`: runs a script that sees nothing but its parameters, and shows its result as text. */
import { illegalArgument, parsingException, ShoalError } from '@shoal/core';
import { valueResponse } from '@shoal/http';
import { PAINLESS_TEST_CONTEXT, paramsOf, parseScript, programOf, type ScriptRequest, textOf } from '@shoal/script';
import type { RestApi } from '../api/rest-api.ts';
import { treeOfBody } from '../request/json-body.ts';

export const executePainlessApi: RestApi = {
  usageName: '_scripts_painless_execute',
  methods: ['GET', 'POST'],
  paths: ['/_scripts/painless/_execute'],
  privilege: 'cluster:admin/scripts/painless/execute',
  task: null,
  body: 'json',
  params: {},
  handler: (request) => {
    const root = treeOfBody(request.body);
    if (root?.kind !== 'object') throw new ShoalError('parse_exception', 400, 'request body is required');
    let script: ScriptRequest | null = null;
    for (const { name, at, value } of root.members) {
      if (name === 'script') script = parseScript(value);
      else if (name === 'context') checkContext(value.kind === 'string' ? value.value : '');
      else if (name === 'context_setup') throw illegalArgument('[context_setup] is not supported by this server');
      else throw parsingException(`[painless_execute_request] unknown field [${name}]`, at);
    }
    if (script === null) throw illegalArgument('Required [script]');
    if (script.source === null) throw illegalArgument('only inline scripts are supported');
    const result = programOf(script, PAINLESS_TEST_CONTEXT).run([paramsOf(script)]);
    return Promise.resolve(valueResponse({ result: textOf(result) }));
  },
};

function checkContext(name: string): void {
  if (name === PAINLESS_TEST_CONTEXT.name) return;
  const reason = 'Failed to build [painless_execute_request] after last required field arrived';
  const causedBy = new ShoalError('unsupported_operation_exception', 400, `unsupported script context name [${name}]`);
  throw new ShoalError('x_content_parse_exception', 400, reason, { causedBy });
}
