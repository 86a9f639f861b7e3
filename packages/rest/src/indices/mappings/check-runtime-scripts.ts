/**
 * Scripts of runtime fields, compiled before a mapping is put: one that does not compile would fail every search of the index.
 */
import { isShoalError, ShoalError } from '@shoal/core';
import { compileScript, RUNTIME_FIELD_CONTEXTS } from '@shoal/script';
import { isJsonObject, type JsonObject } from '../../request/json-body.ts';
import { SINGLE_TYPE } from '../../request/single-type.ts';

const BAD_REQUEST = 400;

/** @returns the mapping. @throws ShoalError `mapper_parsing_exception` for a script that does not compile */
export function withCheckedScripts(mapping: JsonObject): JsonObject {
  const { [SINGLE_TYPE]: typed } = mapping;
  const { runtime } = isJsonObject(typed) ? typed : mapping;
  if (isJsonObject(runtime)) for (const one of Object.values(runtime)) if (isJsonObject(one)) checkField(one);
  return mapping;
}

/** What else is wrong with the declaration is told by whoever reads the mapping. */
function checkField({ type, script }: JsonObject): void {
  const { source, lang = 'painless' } = isJsonObject(script) ? script : { source: script };
  const context = Object.hasOwn(RUNTIME_FIELD_CONTEXTS, String(type))
    ? RUNTIME_FIELD_CONTEXTS[String(type)]
    : undefined;
  if (typeof source !== 'string' || context === undefined) return;
  if (lang !== 'painless') throw failedToParse(`script_lang not supported [${String(lang)}]`);
  try {
    compileScript({ lang, text: source }, context);
  } catch (error) {
    throw isShoalError(error) ? failedToParse(error.reason ?? '', error) : error;
  }
}

function failedToParse(reason: string, causedBy?: ShoalError): ShoalError {
  const text = `Failed to parse mapping [${SINGLE_TYPE}]: ${reason}`;
  return new ShoalError('mapper_parsing_exception', BAD_REQUEST, text, causedBy === undefined ? {} : { causedBy });
}
