/** `gsub`: replaces what a regular expression matches. */
import type { ProcessorType } from '../../contract/processor.ts';
import { regexOption, replacedMatches } from './regex-option.ts';
import { textProcessorType } from './text-processor.ts';

export const gsubProcessor: ProcessorType = textProcessorType('gsub', (config) => {
  const pattern = regexOption(config, 'pattern');
  const replace = pattern.replacement(config.text('replacement'));
  return (text) => replacedMatches(text, pattern, replace);
});
