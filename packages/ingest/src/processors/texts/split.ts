/** `split`: a text as the list of its parts. */
import { JavaPattern } from '@shoal/analysis';
import { illegalArgument, isShoalError, lazy, ShoalError } from '@shoal/core';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import { javaSplit } from '../../values/java-split.ts';
import { regexProblem } from './regex-option.ts';

export const splitProcessor: ProcessorType = {
  type: 'split',
  create(config) {
    const field = parseFieldPath(config.text('field'));
    const source = config.text('separator');
    // What is no expression fails the documents, and not the pipeline.
    const separator = lazy(() => separatorPattern(source));
    const ignoresMissing = config.flag('ignore_missing', false);
    const limit = config.flag('preserve_trailing', false) ? -1 : 0;
    const target = parseFieldPath(config.optionalText('target_field') ?? field.text);
    return simple((document) => {
      const text = ignoresMissing && !document.has(field) ? null : document.text(field);
      if (text === null) {
        if (ignoresMissing) return;
        throw illegalArgument(`field [${field.text}] is null, cannot split.`);
      }
      document.set(target, [...javaSplit(text, separator(), limit)]);
    });
  },
};

/** @throws pattern_syntax_exception */
function separatorPattern(source: string): JavaPattern {
  try {
    return new JavaPattern(source);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw new ShoalError('pattern_syntax_exception', 400, regexProblem(error));
  }
}
