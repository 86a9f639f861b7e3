/**
 * `registered_domain`: the parts of the name of a host: what its owner registered, the public suffix above it, and what is below.
 */
import { illegalArgument } from '@shoal/core';
import { registeredName } from '@shoal/extraction';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import { type FieldPath, parseFieldPath } from '../../document/field-path.ts';

export const registeredDomainProcessor: ProcessorType = {
  type: 'registered_domain',
  create(config) {
    const field = parseFieldPath(config.text('field'));
    const target = config.optionalText('target_field') ?? '';
    const ignoresMissing = config.flag('ignore_missing', true);
    const targets = targetFields(target);
    return simple((document) => {
      const host = ignoresMissing && !document.has(field) ? null : document.text(field);
      const parts = host === null || host.trim() === '' ? null : hostParts(host);
      if (parts === null) {
        if (ignoresMissing) return;
        throw illegalArgument('unable to set domain information for document');
      }
      for (const [name, path] of targets) {
        const part = parts[name];
        if (part !== null) document.set(path, part);
      }
    });
  },
};

interface HostParts {
  readonly domain: string;
  /** null: the host is a public suffix itself. */
  readonly registered_domain: string | null;
  readonly top_level_domain: string;
  readonly subdomain: string | null;
}

const PARTS = ['domain', 'registered_domain', 'top_level_domain', 'subdomain'] as const;

function targetFields(target: string): readonly (readonly [keyof HostParts, FieldPath])[] {
  return PARTS.map((name) => [name, parseFieldPath(target === '' ? name : `${target}.${name}`)]);
}

/** null: no public suffix is known that the host is below of. */
function hostParts(host: string): HostParts | null {
  const name = host.startsWith('.') ? host.slice(1) : host;
  const found = registeredName(name.toLowerCase());
  if (found === null) return null;
  const { registered, publicSuffix } = found;
  if (registered === null) return { domain: host, registered_domain: null, top_level_domain: host, subdomain: null };
  if (name !== host) return null;
  // Where the letters of the host are large it has none.
  const below = host.lastIndexOf(`.${registered}`);
  return {
    domain: host,
    registered_domain: registered,
    top_level_domain: publicSuffix,
    subdomain: below > 0 ? host.slice(0, below) : null,
  };
}
