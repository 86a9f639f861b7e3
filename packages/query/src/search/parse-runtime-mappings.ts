/**
 * `runtime_mappings`: fields that a search declares for itself. They stay JSON until a shard reads them with its mapping.
 */
import { type JsonMember, parsingException, tokenName } from '@shoal/core';
import { checkedRuntimeMappings } from '@shoal/schema';
import { jsonText } from '@shoal/script';

/** Characters of a section: every shard gets all of it. */
const LENGTH_MAX = 1024 * 1024;

/** @returns null where no field is declared. @throws ShoalError for what is no declaration of a runtime field */
export function parseRuntimeMappings({ name, value }: JsonMember): string | null {
  if (value.kind !== 'object') {
    throw parsingException(`Unknown key for a ${tokenName(value)} in [${name}].`, value.at);
  }
  const text = jsonText(value);
  if (text.length > LENGTH_MAX) {
    throw parsingException(`[${name}] has [${text.length}] characters, more than [${LENGTH_MAX}]`, value.at);
  }
  const declared = checkedRuntimeMappings(text);
  return Object.keys(declared).length === 0 ? null : text;
}
