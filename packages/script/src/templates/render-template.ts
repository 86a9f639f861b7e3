/**
 * A text of a request that is filled with parameters: by a template, or by a script that returns it.
 */
import { ShoalError } from '@shoal/core';
import { programOf } from '../programs/script-cache.ts';
import { MUSTACHE, TEMPLATE_CONTEXT } from '../programs/script-context.ts';
import type { ScriptWithOptions } from '../programs/script-request.ts';
import { textOf } from '../values/java-text.ts';
import { fromPlain } from '../values/json-values.ts';
import type { PlainValue } from './plain-values.ts';
import { mediaTypeOf, templateOf } from './template-script.ts';

export type TemplateSource = Omit<ScriptWithOptions, 'params'>;

/** Parameters of a template, by name. */
export type TemplateParams = ReadonlyMap<string, PlainValue>;

/** @throws script_exception, illegal_argument_exception, and resource_not_found_exception (404) for one that is stored nowhere */
export function renderTemplate({ lang, source, id, contentType }: TemplateSource, params: TemplateParams): string {
  if (source === null) throw templateNotFound(id ?? '');
  if (lang === MUSTACHE) return templateOf(source, mediaTypeOf(contentType)).render([params]);
  const program = programOf({ lang, source, id: null, params: '{}' }, TEMPLATE_CONTEXT);
  return textOf(program.run([fromPlain(params)]));
}

/** 404: no script is stored under the id. */
function templateNotFound(id: string): ShoalError {
  return new ShoalError('resource_not_found_exception', 404, `unable to find script [${id}] in cluster state`);
}
