/**
 * tld: the parts of the name of a host: its public suffix, what its owner registered below that, and the rest.
 */
import type { PluginDefinition } from '@shoal/agent-plugin-kit';
import { registeredName } from '@shoal/extraction';

export const tldFilter: PluginDefinition = {
  kind: 'filter',
  name: 'tld',
  version: '3.2.0',
  isStateless: true,
  options: {
    source: { type: 'fieldReference', default: 'message' },
    target: { type: 'fieldReference', default: 'tld' },
  },
  create: (options) => {
    const source = options.reference('source');
    const target = options.reference('target');
    return {
      filter: (event) => {
        const value = event.get(source);
        const parts = typeof value === 'string' ? partsOf(value.trim().toLowerCase()) : null;
        if (parts === null) return 'unmatched';
        const there = event.get(target);
        event.set(target, new Map([...(there instanceof Map ? there : []), ...Object.entries(parts)]));
        return 'matched';
      },
    };
  },
};

/** Null for what is no name of a host below a public suffix. */
function partsOf(name: string): Readonly<Record<string, string | null>> | null {
  if (name.startsWith('.') || name.includes('://')) return null;
  const found = registeredName(name);
  if (found === null || found.registered === null) return null;
  const { publicSuffix: tld, registered: domain } = found;
  const trd = name === domain ? null : name.slice(0, -domain.length - 1);
  return {
    tld,
    sld: domain.slice(0, -tld.length - 1),
    trd,
    domain,
    subdomain: trd === null ? null : name,
    top_level_domain: tld,
  };
}
