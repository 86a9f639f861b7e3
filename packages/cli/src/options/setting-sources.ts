/**
 * Settings of a node from the three sources that people use: command line beats environment beats file.
 *
 * Here they are only gathered, as flat names and texts; the node itself knows the names, types and bounds and refuses what
 * it does not know.
 */
import { existsSync, readFileSync } from 'node:fs';
import { flattenSettings, messageOf } from '@shoal/core';

export type FlatSettings = Readonly<Record<string, string>>;

const ENVIRONMENT_PREFIX = 'SHOAL_';

export interface SettingSources {
  /** Path of a `shoal.yml`; null: `shoal.yml` in the working folder if there is one. */
  readonly configFile: string | null;
  /** Read, if it is there, when no file is named. Default `shoal.yml`. */
  readonly defaultFile?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names that the environment may set; `SHOAL_CLUSTER_NAME` is `cluster.name`. */
  readonly knownNames: readonly string[];
  /** Further settings of the environment, under whatever names it has for them. Default: none */
  readonly ofEnvironment?: FlatSettings;
  readonly flags: FlatSettings;
  /** `name=value` pairs of `--set`. */
  readonly assignments: readonly string[];
}

export async function gatherSettings(sources: SettingSources): Promise<FlatSettings> {
  return {
    ...(await readConfigFile(sources.configFile, sources.defaultFile ?? 'shoal.yml')),
    ...readEnvironment(sources.environment, sources.knownNames),
    ...sources.ofEnvironment,
    ...sources.flags,
    ...readAssignments(sources.assignments),
  };
}

/** The variable that sets a setting: dots become underscores. */
export function environmentName(setting: string): string {
  return ENVIRONMENT_PREFIX + setting.replaceAll('.', '_').toUpperCase();
}

async function readConfigFile(path: string | null, defaultFile: string): Promise<FlatSettings> {
  const file = path ?? defaultFile;
  if (!existsSync(file)) {
    if (path !== null) throw new Error(`the configuration file ${path} does not exist`);
    return {};
  }
  let content: unknown;
  // Only where there is a file: most nodes start without one, and sooner without the parser.
  const { parse } = await import('yaml');
  try {
    content = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error)}`);
  }
  if (content === null || content === undefined) return {};
  if (typeof content !== 'object' || Array.isArray(content))
    throw new Error(`${file}: expected settings as name: value, found ${JSON.stringify(content)}`);
  return Object.fromEntries(flattenSettings({ ...content }));
}

function readEnvironment(environment: SettingSources['environment'], knownNames: readonly string[]): FlatSettings {
  const names = new Set(knownNames);
  const byVariable = new Map(knownNames.map((name) => [environmentName(name), name]));
  const flat: Record<string, string> = {};
  for (const [variable, value] of Object.entries(environment)) {
    // Images of Elasticsearch take settings under their own names.
    const name = byVariable.get(variable) ?? (variable.includes('.') && names.has(variable) ? variable : undefined);
    if (name !== undefined && value !== undefined) flat[name] = value;
  }
  return flat;
}

/** `name=value` pairs of `--set` as settings. */
export function readAssignments(assignments: readonly string[]): FlatSettings {
  const flat: Record<string, string> = {};
  for (const assignment of assignments) {
    const at = assignment.indexOf('=');
    if (at <= 0) throw new Error(`--set wants name=value, found [${assignment}]`);
    flat[assignment.slice(0, at)] = assignment.slice(at + 1);
  }
  return flat;
}
