/**
 * docker-compose.yml says nothing that the programs in its image would not understand.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { NODE_SETTINGS } from '../../packages/node/src/index.ts';
import { AGENT_SETTINGS } from '../../packages/pipeline-agent/src/index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Service {
  readonly command: readonly string[];
  readonly image: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
}

const compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const { agent, ...nodes } = compose.services;
if (agent === undefined) throw new Error('no agent in docker-compose.yml');
/** What the pipeline's configuration reads. */
const PIPELINE_VARIABLES = ['SHOAL_ACCESS_LOGS', 'SHOAL_ACCESS_LOGS_TEMPLATE', 'SHOAL_CLUSTER_URL'];

const variableOf = (setting: string): string => `SHOAL_${setting.replaceAll('.', '_').toUpperCase()}`;

describe('docker-compose.yml', () => {
  test('may lose any data node: all three vote, each has a volume of its own, and no index setting takes replicas away', () => {
    const names = Object.keys(nodes).filter((name) => name.startsWith('data-'));
    for (const [name, { environment, volumes }] of Object.entries(nodes)) {
      expect(environment.SHOAL_CLUSTER_INITIAL_CLUSTER_MANAGER_NODES?.split(',')).toEqual(names);
      expect(environment.SHOAL_DISCOVERY_SEED_HOSTS?.split(',')).toEqual(names.map((data) => `${data}:9300`));
      expect(volumes).toContain(`${name}:/data`);
      expect(Object.keys(environment).filter((variable) => /ALLOCATION|REPLICAS/.test(variable))).toEqual([]);
    }
  });

  test('has a coordinator, three data nodes and an agent of one image', () => {
    expect(Object.keys(nodes)).toEqual(['coordinator', 'data-1', 'data-2', 'data-3']);
    expect(new Set(Object.values(compose.services).map(({ image }) => image)).size).toBe(1);
  });

  test('sets only what there is to set, to values that are accepted', () => {
    for (const [name, { environment }] of Object.entries(compose.services)) {
      const registry = name === 'agent' ? AGENT_SETTINGS : NODE_SETTINGS;
      const byVariable = new Map(registry.names().map((setting) => [variableOf(setting), setting]));
      const given = Object.entries(environment).filter(([variable]) => !PIPELINE_VARIABLES.includes(variable));
      for (const [variable] of given) expect(byVariable.get(variable), variable).toBeDefined();
      const settings = given.map(([variable, value]) => [byVariable.get(variable) ?? '', value]);
      expect(() => registry.parse(Object.fromEntries(settings))).not.toThrow();
    }
  });

  test('publishes on loopback alone', () => {
    const ports = Object.values(compose.services).flatMap((service) => service.ports ?? []);
    expect(ports).toEqual(['127.0.0.1:9200:9200', '127.0.0.1:9600:9600']);
  });

  test('the agent reads, and only reads, the access logs where the nodes write them', () => {
    expect(agent.volumes).toContain('access-logs:/data/logs:ro');
    expect(agent.environment.SHOAL_ACCESS_LOGS).toBe('/data/logs/*/http-access.log*');
    for (const [name, { volumes, environment }] of Object.entries(nodes)) {
      expect(volumes).toContain('access-logs:/data/logs');
      expect(environment.SHOAL_HTTP_ACCESS_LOG).toBe(`logs/${name}/http-access.log`);
    }
    const named = Object.values(compose.services).flatMap(({ volumes }) => volumes.map((mount) => mount.split(':')[0]));
    expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)));
  });

  test('the agent runs the pipeline that is shipped, all of whose variables are set', () => {
    const file = join(root, agent.command[2] ?? '');
    expect(existsSync(file)).toBe(true);
    const variables = new Set(readFileSync(file, 'utf8').match(/(?<=\$\{)\w+/g));
    expect([...variables].sort()).toEqual(PIPELINE_VARIABLES);
    for (const variable of variables) expect(agent.environment).toHaveProperty(variable);
    expect(existsSync(join(root, agent.environment.SHOAL_ACCESS_LOGS_TEMPLATE ?? ''))).toBe(true);
  });
});
