/**
 * The environment variables of Elasticsearch's container image, as settings of a node: what starts that image starts ours.
 *
 * Only where it is asked for, which our image does: on a machine of a developer a variable with a dot, or a password that is there for
 * some client, is not meant for a node.
 */
import { existsSync, readFileSync } from 'node:fs';
import { isLoopback } from '@shoal/core';
import type { FlatSettings } from './setting-sources.ts';

export interface ElasticsearchEnvironment {
  readonly settings: FlatSettings;
  /** Variables that do nothing here, each with its reason. */
  readonly withoutEffect: readonly { readonly name: string; readonly because: string }[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Variables with a dot, as the other image takes them. */
const SETTING_NAME = /^[a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+)+$/;
/** The same for shells that know no dots: `ES_SETTING_XPACK_SECURITY_ENABLED`; two underscores are one in the name. */
const SETTING_PREFIX = 'ES_SETTING_';
const PASSWORD = 'ELASTIC_PASSWORD';
const PASSWORD_FILE = 'ELASTIC_PASSWORD_FILE';
const NO_JVM = 'there is no JVM: NODE_OPTIONS=--max-old-space-size=MEGABYTES limits the heap';
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  ES_JAVA_OPTS: NO_JVM,
  CLI_JAVA_OPTS: NO_JVM,
  ES_JAVA_HOME: NO_JVM,
  ES_TMPDIR: 'a node writes nothing outside of its data folder',
};
const REFUSED: Readonly<Record<string, string>> = {
  ES_PATH_CONF:
    'mount a file of settings and name it after --config, and set [path.conf] to the folder of what settings mention',
  KEYSTORE_PASSWORD:
    'there is no keystore: give settings by their names, the password of [elastic] as ELASTIC_PASSWORD',
  KEYSTORE_PASSWORD_FILE:
    'there is no keystore: give settings by their names, the password of [elastic] as ELASTIC_PASSWORD_FILE',
};

/** @throws Error for a variable that asks for what is not here, with what to do instead */
export function elasticsearchEnvironment(variables: Variables): ElasticsearchEnvironment {
  const given = Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined);
  for (const [name] of given) {
    const instead = REFUSED[name];
    if (instead !== undefined) throw new Error(`the variable ${name} has no meaning here: ${instead}`);
  }
  const named = given.flatMap(([variable, value]) => {
    const name = settingOf(variable);
    return name === null ? [] : [[name, value] as const];
  });
  const password = passwordOf(variables);
  const settings = { ...Object.fromEntries(named), ...(password === null ? {} : { 'bootstrap.password': password }) };
  const withoutEffect = given.flatMap(([name]) => {
    const because = WITHOUT_EFFECT[name];
    return because === undefined ? [] : [{ name, because }];
  });
  return { settings, withoutEffect };
}

/**
 * Addresses of a node in a container. One for development listens for clients on all of them: who reaches these is decided by which port
 * the container publishes. For development is a node of `discovery.type=single-node`, or one that other nodes cannot reach, as with
 * Elasticsearch; any other is told by its own settings where to listen.
 */
export function containerAddresses(given: FlatSettings): FlatSettings {
  const transportHost = given['transport.host'] ?? given['network.host'] ?? '127.0.0.1';
  const isForDevelopment =
    given['discovery.type'] === 'single-node' || transportHost === '_local_' || isLoopback(transportHost);
  if (!isForDevelopment || given.insecure !== undefined) return {};
  const hasHost = given['http.host'] !== undefined || given['network.host'] !== undefined;
  return { insecure: 'true', ...(hasHost ? {} : { 'http.host': '0.0.0.0' }) };
}

function settingOf(variable: string): string | null {
  if (SETTING_NAME.test(variable)) return variable;
  if (!variable.startsWith(SETTING_PREFIX)) return null;
  const parts = variable.slice(SETTING_PREFIX.length).toLowerCase().split('__');
  return parts.map((part) => part.replaceAll('_', '.')).join('_');
}

function passwordOf(variables: Variables): string | null {
  const [password, file] = [variables[PASSWORD] || null, variables[PASSWORD_FILE] || null];
  if (file === null) return password;
  if (password !== null) throw new Error(`both ${PASSWORD} and ${PASSWORD_FILE} are set: only one can be`);
  if (!existsSync(file)) throw new Error(`the file ${file} of ${PASSWORD_FILE} does not exist`);
  const text = readFileSync(file, 'utf8').trimEnd();
  if (text === '') throw new Error(`the file ${file} of ${PASSWORD_FILE} is empty`);
  return text;
}
