/**
 * Plugins of users: packages or single files named `shoal-<kind>-<name>`, found in the folders of `path.plugins` or where
 * Node finds packages. Their code runs with the agent's rights, like the agent's own.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PluginDefinition, PluginKind } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';

export interface WantedPlugin {
  readonly kind: PluginKind;
  readonly name: string;
}

/** Endings behind the name of the package. The last only where Node itself reads TypeScript. */
const FILES = ['.mjs', '.js', '/index.js', '/dist/index.js', '.ts'];

/** null when there is no such package; throws for one that is broken or is no plugin. */
export async function loadUserPlugin(
  wanted: WantedPlugin,
  folders: readonly string[],
): Promise<PluginDefinition | null> {
  const packageName = `shoal-${wanted.kind}-${wanted.name}`;
  const candidates = folders.flatMap((folder) =>
    FILES.map((file) => pathToFileURL(resolve(folder, packageName + file)).href),
  );
  for (const specifier of [...candidates, packageName]) {
    const module = await importOrNull(specifier);
    if (module === null) continue;
    const found = Object.values(module).find((value) => isDefinition(value, wanted));
    if (found === undefined) {
      const message = `${packageName} exports no ${wanted.kind} plugin named [${wanted.name}]`;
      throw new ShoalError('plugin_exception', 400, message);
    }
    return found as PluginDefinition; // Checked by isDefinition, as far as a plugin can be.
  }
  return null;
}

async function importOrNull(specifier: string): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    return (await import(specifier)) as Readonly<Record<string, unknown>>; // A module is an object of its exports.
  } catch (error) {
    const code = error instanceof Error ? Reflect.get(error, 'code') : null;
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
      const message = `${specifier} cannot be loaded by this Node: compile it to JavaScript`;
      throw new ShoalError('plugin_exception', 400, message);
    }
    // Only if it is this module that is missing: a plugin with a missing dependency says so.
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' && error instanceof Error;
    if (isMissing && error.message.includes(specifier.replace(/^file:\/\//, ''))) return null;
    throw error;
  }
}

function isDefinition(value: unknown, wanted: WantedPlugin): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const field = (name: string): unknown => Reflect.get(value, name);
  return (
    field('kind') === wanted.kind &&
    field('name') === wanted.name &&
    typeof field('version') === 'string' &&
    typeof field('options') === 'object' &&
    typeof field('create') === 'function'
  );
}
