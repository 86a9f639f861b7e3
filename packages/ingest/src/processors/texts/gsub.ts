/** `gsub`: replaces what a regular expression matches. */
import { lazy } from '@shoal/core';
import type { ProcessorType } from '../../contract/processor.ts';
import { regexOption, replacedMatches } from './regex-option.ts';
import { textProcessorType } from './text-processor.ts';

export const gsubProcessor: ProcessorType = textProcessorType('gsub', (config) => {
  const pattern = regexOption(config, 'pattern');
  const replacement = config.text('replacement');
  // A replacement that names a group which there is not fails the documents that have a match, and no others.
  const replace = lazy(() => pattern.replacement(replacement));
  return (text) => replacedMatches(text, pattern, (match) => replace()(match));
});
