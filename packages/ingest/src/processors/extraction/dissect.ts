/** `dissect`: fields from a text by the delimiters between them. */
import { illegalArgument, isShoalError, ShoalError } from '@shoal/core';
import { compileDissectFields, type DissectFields } from '@shoal/extraction';
import { type Processor, type ProcessorType, simple } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { parseFieldPath } from '../../document/field-path.ts';

export const dissectProcessor: ProcessorType = { type: 'dissect', create: createDissect };

const NO_MATCH = 'find_match';

function createDissect(config: ProcessorConfig): Processor {
  const field = parseFieldPath(config.text('field'));
  const source = config.text('pattern');
  const separator = config.optionalText('append_separator') ?? '';
  const ignoresMissing = config.flag('ignore_missing', false);
  const fields = compile(config, source, separator);
  return simple((document) => {
    const missing = ignoresMissing && !document.has(field);
    const text = missing ? null : document.text(field);
    if (text === null) {
      if (ignoresMissing) return;
      throw illegalArgument(`field [${field.text}] is null, cannot process it.`);
    }
    const found = fields.of(text);
    if (found === null) {
      const reason = `Unable to find match for dissect pattern: ${source} against source: ${text}`;
      throw new ShoalError(NO_MATCH, 400, reason);
    }
    for (const [name, value] of found) document.set(parseFieldPath(name), value);
  });
}

function compile(config: ProcessorConfig, source: string, separator: string): DissectFields {
  try {
    return compileDissectFields(source, separator);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw config.error('pattern', `Unable to parse pattern: ${source} Reason: ${error.message}`);
  }
}
