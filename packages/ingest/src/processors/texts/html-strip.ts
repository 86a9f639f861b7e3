/** `html_strip`: texts without tags. */
import { strippedHtml } from '@shoal/analysis';
import type { ProcessorType } from '../../contract/processor.ts';
import { textProcessorType } from './text-processor.ts';

export const htmlStripProcessor: ProcessorType = textProcessorType('html_strip', () => strippedHtml);
