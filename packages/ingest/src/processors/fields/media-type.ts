/** The option `media_type`: what is escaped in the values of templates. */

import { MEDIA_TYPES, type MediaType } from '@shoal/script';
import type { ProcessorConfig } from '../../contract/processor-config.ts';

export function mediaTypeOf(config: ProcessorConfig): MediaType {
  const problem = 'property does not contain a supported media type [{}]';
  return config.optionalChoice('media_type', MEDIA_TYPES, problem) ?? 'application/json';
}
