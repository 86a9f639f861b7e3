/**
 * Scripts in configurations of processors: a text, or an object with source, language and parameters.
 */
import { jsonText } from '@shoal/agent-event';
import { illegalArgument, ShoalError } from '@shoal/core';
import { paramsOf, programOf, type ScriptContext, type ScriptProgram, type ScriptRequest } from '@shoal/script';
import type { PipelineParts } from '../contract/processor.ts';
import type { ProcessorConfig } from '../contract/processor-config.ts';

/** Scripts that are stored, by their ids. */
export type StoredScriptTexts = PipelineParts['scripts'];

/** Where a script runs, and what it may be named by. */
export interface ScriptUse {
  readonly context: ScriptContext;
  readonly stored: StoredScriptTexts;
}

export interface ConfiguredScript {
  readonly program: ScriptProgram;
  /** Text of the script. */
  readonly source: string;
  /** A new map of the parameters: scripts may write into it. */
  params(): unknown;
}

const LANG_DEFAULT = 'painless';
const BAD_CONFIGURATION = 'must specify either [source] for an inline script or [id] for a stored script';

/**
 * Takes the properties of a script.
 *
 * @throws script_exception for one that does not compile, resource_not_found_exception (404) for one that is not stored
 */
export function configuredScript(config: ProcessorConfig, { context, stored }: ScriptUse): ConfiguredScript {
  const source = config.optionalText('source');
  const id = config.optionalText('id');
  const lang = config.optionalText('lang');
  const params = config.optionalMap('params');
  if (source !== null && id !== null) {
    throw illegalArgument('must only use one of [source, id] when specifying a script');
  }
  if (source === null && id === null) throw illegalArgument(BAD_CONFIGURATION);
  if (id !== null && lang !== null) throw illegalArgument('illegally specified <lang> for a stored script');
  const text = id === null ? { lang: lang ?? LANG_DEFAULT, source: source ?? '' } : storedText(stored, id);
  const request: ScriptRequest = {
    ...text,
    id: null,
    params: params === null ? '{}' : jsonText(params),
  };
  return { program: programOf(request, context), source: text.source, params: () => paramsOf(request) };
}

function storedText(stored: StoredScriptTexts, id: string): { readonly lang: string; readonly source: string } {
  const found = stored.get(id);
  if (found !== undefined) return { lang: found.lang, source: found.source };
  throw new ShoalError('resource_not_found_exception', 404, `unable to find script [${id}] in cluster state`);
}
