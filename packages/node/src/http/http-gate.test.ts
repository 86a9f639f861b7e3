import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { nodeConfig } from '../settings/node-config.ts';
import { NODE_SETTINGS } from '../settings/node-settings.ts';
import { httpGate } from './http-gate.ts';

const { machine } = createNodeRuntime({ log: createSilentLog() });

async function status(given: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>>) {
  const config = nodeConfig(NODE_SETTINGS.parse(given), 'data', { ...machine, hostName: 'box.corp.example' });
  const gate = await httpGate(config.httpAccess);
  return gate.admit({ method: 'GET', target: '/', headers: { host: 'localhost', ...headers } }).kind;
}

const cors = (origin: unknown) => ({ 'http.cors.enabled': true, 'http.cors.allow-origin': origin });

describe('the hosts of a node', () => {
  test('are the names of its machine and of its settings', async () => {
    const published = { 'http.publish_host': 'es.example.com' };
    expect(await status({}, { host: 'box.corp.example:9200' })).toBe('admitted');
    expect(await status(published, { host: 'es.example.com' })).toBe('admitted');
    expect(await status({}, { host: 'es.example.com' })).toBe('refused');
  });

  test('are those that it is told, or any', async () => {
    expect(await status({ 'http.allowed_hosts': ['*.example.com'] }, { host: 'a.example.com' })).toBe('admitted');
    expect(await status({ http: { allowed_hosts: '*' } }, { host: 'evil.example' })).toBe('admitted');
    await expect(status({ 'http.allowed_hosts': 'es.example.com:9200' }, {})).rejects.toThrow('without a port');
  });
});

describe('the origins of a node', () => {
  test('are none by default, nor when sharing is on and none is named', async () => {
    const origin = 'http://app.example';
    expect(await status({ 'http.cors.allow-origin': '*' }, { origin })).toBe('refused');
    expect(await status({ 'http.cors.enabled': true }, { origin })).toBe('refused');
  });

  test.each([
    ['a list', 'http://a.example, http://b.example', 'http://b.example', 'http://c.example'],
    ['a list in a file', ['http://a.example', 'http://b.example'], 'http://b.example', 'http://bxexample'],
    ['a pattern', '/https?:\\/\\/localhost(:[0-9]+)?/', 'http://localhost:3000', 'http://localhost:3000.evil.com'],
    ['a pattern with a choice', '/http://a|http://b/', 'http://b', 'http://bc'],
  ])('are those of %s, as a whole', async (_what, setting, inside, outside) => {
    expect(await status(cors(setting), { origin: inside })).toBe('admitted');
    expect(await status(cors(setting), { origin: outside })).toBe('refused');
  });

  test('a pattern that is none, or can run away, stops the start', async () => {
    await expect(status(cors('/(/'), {})).rejects.toThrow('Bad regex in [http.cors.allow-origin]: [(]');
    await expect(status(cors('/(\\w+\\s?)*x/'), {})).rejects.toThrow('can take exponential time');
  });

  test('words of headers and methods that are none stop the start', async () => {
    await expect(status({ ...cors('*'), 'http.cors.allow-methods': 'GTE' }, {})).rejects.toThrow('[GTE]');
    await expect(status({ ...cors('*'), 'http.cors.expose-headers': 'a\nb' }, {})).rejects.toThrow('[a\nb]');
  });
});
