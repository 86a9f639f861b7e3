/** `lowercase`, `uppercase` and `trim`. */
import type { ProcessorType } from '../../contract/processor.ts';
import { textProcessorType } from './text-processor.ts';

/** Control characters and the blank; other white space stays. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are trimmed too
const TRIMMED = /^[\u0000- ]+|[\u0000- ]+$/g;

export const lowercaseProcessor: ProcessorType = textProcessorType('lowercase', () => (text) => text.toLowerCase());
export const uppercaseProcessor: ProcessorType = textProcessorType('uppercase', () => (text) => text.toUpperCase());
export const trimProcessor: ProcessorType = textProcessorType('trim', () => (text) => text.replace(TRIMMED, ''));
