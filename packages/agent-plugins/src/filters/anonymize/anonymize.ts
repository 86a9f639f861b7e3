/**
 * anonymize: puts a keyed hash, or the network of an address, in the place of fields, so that equal values stay equal.
 */
import { parseFieldReference } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';
import { fieldHash } from '../../hashes/field-hash.ts';

export const anonymizeFilter: PluginDefinition = {
  kind: 'filter',
  name: 'anonymize',
  version: '3.0.7',
  isStateless: true,
  options: {
    fields: { type: 'array', isRequired: true },
    /** Key of an HMAC; length of the prefix with IPV4_NETWORK; without a meaning with MURMUR3. */
    key: { type: 'string', isRequired: true },
    algorithm: {
      type: ['SHA1', 'SHA256', 'SHA384', 'SHA512', 'MD5', 'MURMUR3', 'IPV4_NETWORK'],
      default: 'SHA1',
    },
  },
  create: (options, { escapeStyle }) => {
    const fields = options.strings('fields').map((name) => parseFieldReference(name, escapeStyle));
    const hash = fieldHash({
      plugin: 'anonymize',
      method: options.string('algorithm'),
      key: options.string('key'),
      encoding: 'hex',
    });
    return {
      filter: (event) => {
        for (const field of fields) {
          const value = event.get(field);
          if (value !== undefined) event.set(field, Array.isArray(value) ? value.map(hash) : hash(value));
        }
        return 'matched';
      },
    };
  },
};
