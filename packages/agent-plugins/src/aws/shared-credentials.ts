/**
 * The file of credentials that the tools of AWS share: sections of profiles with their keys.
 */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './machine-credentials.ts';

/** Keys and values of a profile of the file that the environment names; null without the file or the profile. */
export function sharedProfile(environment: Environment, name: string): ReadonlyMap<string, string> | null {
  const path = environment.AWS_SHARED_CREDENTIALS_FILE ?? join(homedir(), '.aws', 'credentials');
  try {
    return parseProfiles(readFileSync(path, 'utf8')).get(name) ?? null;
  } catch {
    // Most machines have none, and one that cannot be read is none for this process.
    return null;
  }
}

/** Profiles by name. What is no section and no `key = value` is passed over. */
export function parseProfiles(text: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const profiles = new Map<string, Map<string, string>>();
  let current: Map<string, string> | null = null;
  for (const line of text.split(/\r?\n/)) {
    const name = /^\s*\[\s*(?:profile\s+)?([^\]]*?)\s*\]/.exec(line)?.[1];
    if (name !== undefined) {
      current = profiles.get(name) ?? new Map<string, string>();
      profiles.set(name, current);
      continue;
    }
    const [, key, value] = /^([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) current?.set(key, value);
  }
  return profiles;
}
