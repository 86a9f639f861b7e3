/**
 * Members of queries that Elasticsearch reads token by token: what stands behind a name must be a value, unless the query knows more.
 */
import { type JsonMember, parsingException, tokenName } from '@shoal/core';

/**
 * @param holders names of members that may be objects or arrays; their readers check them
 * @throws ShoalError for an object, an array or null behind any other name
 */
export function checkTokens(query: string, members: readonly JsonMember[], holders: readonly string[] = []): void {
  for (const { name, value } of members) {
    if (value.kind !== 'object' && value.kind !== 'array' && value.kind !== 'null') continue;
    if (holders.includes(name)) continue;
    throw parsingException(`[${query}] unknown token [${tokenName(value)}] after [${name}]`, value.at);
  }
}
