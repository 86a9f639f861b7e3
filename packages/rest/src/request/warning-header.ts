/**
 * The header in which clients look for deprecations.
 */
import { API_VERSION } from '@shoal/core';

/** Value of `Warning` for messages without quotes. */
export function warningHeader(messages: Iterable<string>): string {
  const agent = `299 Elasticsearch-${API_VERSION.number}`;
  return [...messages].map((message) => `${agent} "${message}"`).join(', ');
}
