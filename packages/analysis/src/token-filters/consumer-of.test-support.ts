/**
 * A token filter of a type and options alone, as a consumer: for tests of filters that work token by token.
 */
import { NO_CONFIG_FILES } from '@shoal/core';
import type { ComponentOptions } from '../tokens/component-options.ts';
import type { TokenFilterType } from '../tokens/component-type.ts';
import type { TokenConsumer } from '../tokens/token-consumer.ts';
import { isStreamFilter } from '../tokens/token-stage.ts';

/** @param next is called with what the filter emits */
export function consumerOf(type: TokenFilterType, options: ComponentOptions, next: TokenConsumer): TokenConsumer {
  const context = { settings: {}, files: NO_CONFIG_FILES, preceding: null, tokenFilter: () => null };
  const filter = type.create(options, context, type.type);
  if (isStreamFilter(filter)) throw new Error(`${type.type} works on streams`);
  return filter.into(next);
}
