/**
 * The public suffix that a host's name is below, by the public list, and the name that its owner registered below it.
 */
import { parse } from 'tldts';

export interface RegisteredName {
  readonly publicSuffix: string;
  /** null: the name is a public suffix itself. */
  readonly registered: string | null;
}

/** Suffixes that companies gave out (`github.io`) count as well. null: the list has none that the name is below. @param name in small letters */
export function registeredName(name: string): RegisteredName | null {
  const found = parse(name, {
    ...{ allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false },
  });
  if (found.publicSuffix === null || !(found.isIcann === true || found.isPrivate === true)) return null;
  return { publicSuffix: found.publicSuffix, registered: found.domain };
}
