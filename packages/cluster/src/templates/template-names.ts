/**
 * Names of templates and the patterns that they have: all faults at once, as Elasticsearch lists them.
 */
import { FORBIDDEN, FORBIDDEN_SHOWN, NAME_BYTES_MAX } from '../declarations/resource-name.ts';
import { invalidTemplate } from './template-errors.ts';

/** @throws invalid_index_template_exception */
export function checkTemplateNames(name: string, patterns: readonly string[]): void {
  const faults = [...faultsOfName(name), ...patterns.flatMap(faultsOfPattern)];
  if (faults.length > 0) throw invalidTemplate(name, faults);
}

function faultsOfName(name: string): readonly string[] {
  return [
    ...(name.includes(' ') ? ['name must not contain a space'] : []),
    ...(name.includes(',') ? ["name must not contain a ','"] : []),
    ...(name.includes('#') ? ["name must not contain a '#'"] : []),
    ...(name.includes('*') ? ["name must not contain a '*'"] : []),
    ...(name.startsWith('_') ? ["name must not start with '_'"] : []),
    ...(name === name.toLowerCase() ? [] : ['name must be lower cased']),
    ...tooLong('name', name),
  ];
}

function faultsOfPattern(pattern: string): readonly string[] {
  const isForbidden = FORBIDDEN.some((character) => character !== '*' && pattern.includes(character));
  return [
    ...(pattern.includes(' ') ? [`index_patterns [${pattern}] must not contain a space`] : []),
    ...(pattern.includes(',') ? [`index_pattern [${pattern}] must not contain a ','`] : []),
    ...(pattern.includes('#') ? [`index_pattern [${pattern}] must not contain a '#'`] : []),
    ...(pattern.includes(':') ? [`index_pattern [${pattern}] must not contain a ':'`] : []),
    ...(pattern.startsWith('_') ? [`index_pattern [${pattern}] must not start with '_'`] : []),
    ...(isForbidden ? [`index_pattern [${pattern}] must not contain the following characters ${FORBIDDEN_SHOWN}`] : []),
    ...tooLong('index_pattern', pattern),
  ];
}

function tooLong(what: string, text: string): readonly string[] {
  const bytes = Buffer.byteLength(text, 'utf8');
  return bytes > NAME_BYTES_MAX ? [`${what} is too long, (${bytes} > ${NAME_BYTES_MAX})`] : [];
}
