/** `urldecode`: texts as they were before they were put into an address. */
import { urlDecoded } from '@shoal/script';
import type { ProcessorType } from '../../contract/processor.ts';
import { textProcessorType } from './text-processor.ts';

export const urldecodeProcessor: ProcessorType = textProcessorType('urldecode', () => urlDecoded);
