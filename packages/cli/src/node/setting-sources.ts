/**
 * Settings of a node from the three places where people write them: command line beats environment beats file.
 *
 * Here they are only gathered, as flat names and texts; the node itself knows the names, types and bounds and refuses what
 * it does not know.
 */
import { existsSync, readFileSync } from 'node:fs';

export type FlatSettings = Readonly<Record<string, string>>;

const ENVIRONMENT_PREFIX = 'SHOAL_';

export interface SettingSources {
  /** Path of a `shoal.yml`; null: `shoal.yml` in the working folder if there is one. */
  readonly configFile: string | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names that the environment may set; `SHOAL_CLUSTER_NAME` is `cluster.name`. */
  readonly knownNames: readonly string[];
  readonly flags: FlatSettings;
  /** `name=value` pairs of `--set`. */
  readonly assignments: readonly string[];
}

export async function gatherSettings(sources: SettingSources): Promise<FlatSettings> {
  return {
    ...(await readConfigFile(sources.configFile)),
    ...readEnvironment(sources.environment, sources.knownNames),
    ...sources.flags,
    ...readAssignments(sources.assignments),
  };
}

/** The variable that sets a setting: dots become underscores. */
export function environmentName(setting: string): string {
  return ENVIRONMENT_PREFIX + setting.replaceAll('.', '_').toUpperCase();
}

async function readConfigFile(path: string | null): Promise<FlatSettings> {
  const file = path ?? 'shoal.yml';
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
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const flat: Record<string, string> = {};
  flatten(content, '', flat, file);
  return flat;
}

/** Nested maps and dotted names mean the same; lists are joined by commas. */
function flatten(value: unknown, prefix: string, into: Record<string, string>, file: string): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) into[prefix] = value.map(String).join(',');
  else if (typeof value === 'object') {
    for (const [key, inner] of Object.entries(value))
      flatten(inner, prefix === '' ? key : `${prefix}.${key}`, into, file);
  } else if (prefix === '')
    throw new Error(`${file}: expected settings as name: value, found ${JSON.stringify(value)}`);
  else into[prefix] = String(value);
}

function readEnvironment(environment: SettingSources['environment'], knownNames: readonly string[]): FlatSettings {
  const byVariable = new Map(knownNames.map((name) => [environmentName(name), name]));
  const flat: Record<string, string> = {};
  for (const [variable, value] of Object.entries(environment)) {
    const name = byVariable.get(variable);
    if (name !== undefined && value !== undefined) flat[name] = value;
  }
  return flat;
}

function readAssignments(assignments: readonly string[]): FlatSettings {
  const flat: Record<string, string> = {};
  for (const assignment of assignments) {
    const at = assignment.indexOf('=');
    if (at <= 0) throw new Error(`--set wants name=value, found [${assignment}]`);
    flat[assignment.slice(0, at)] = assignment.slice(at + 1);
  }
  return flat;
}
