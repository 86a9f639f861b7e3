/** `bytes`: a size in words (`1kb`) as a number of bytes. */
import { asInteger } from '@shoal/core';
import { sizeInBytes } from '@shoal/script';
import type { ProcessorType } from '../../contract/processor.ts';
import { textProcessorType } from './text-processor.ts';

export const bytesProcessor: ProcessorType = textProcessorType('bytes', () => (text) => {
  const bytes = sizeInBytes(text);
  return asInteger(bytes);
});
