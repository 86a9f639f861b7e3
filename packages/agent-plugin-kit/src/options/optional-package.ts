/**
 * Packages that only some configurations need: loaded by name when a plugin is started that uses them, never installed with
 * the agent. Where one is missing the user is told what to install.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, ShoalError } from '@shoal/core';

export interface OptionalPackage {
  readonly name: string;
  /** Versions that work, as npm takes them behind `@`. */
  readonly version: string;
}

/**
 * The module, from beside the agent or from the folder it was started in.
 *
 * @param plugin whose user is to be told, such as `redis input`
 * @throws ShoalError when it is not installed, or not to be loaded
 */
export async function loadOptionalPackage(wanted: OptionalPackage, plugin: string): Promise<unknown> {
  try {
    return await import(wanted.name);
  } catch (error) {
    if (!isMissing(error, wanted.name)) throw notLoaded(wanted, plugin, error);
  }
  try {
    const require = createRequire(join(process.cwd(), 'package.json'));
    return await import(pathToFileURL(require.resolve(wanted.name)).href);
  } catch (error) {
    if (!isMissing(error, wanted.name)) throw notLoaded(wanted, plugin, error);
  }
  const install = `npm install ${wanted.name}@${wanted.version}`;
  throw new ShoalError(
    'illegal_argument_exception',
    400,
    `the ${plugin} needs the package [${wanted.name}], which is not installed: run [${install}] where the agent is ` +
      'installed, or in the folder it is started in',
  );
}

/** Tells a package that is not there from one that misses another. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return (
    (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND') && error.message.includes(`'${name}'`)
  );
}

function notLoaded({ name }: OptionalPackage, plugin: string, error: unknown): ShoalError {
  const why = messageOf(error);
  return new ShoalError('illegal_argument_exception', 400, `the ${plugin} cannot load the package [${name}]: ${why}`);
}
