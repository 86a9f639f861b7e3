import { type JsonNode, jsonNodeValue, parseJsonTree } from '@shoal/core';
import { expect, test } from 'vitest';
import { withStoredScripts } from './stored-scripts.ts';

const SCRIPTS = new Map([['twice', { id: 'twice', lang: 'painless', source: 'params.n * 2', options: {} }]]);

function resolved(body: object, scripts = SCRIPTS): unknown {
  const node = parseJsonTree(new TextEncoder().encode(JSON.stringify(body))) as JsonNode;
  return jsonNodeValue(withStoredScripts(node, scripts));
}

test('stored scripts stand where their ids were, with the parameters of the request', () => {
  const body = { query: { bool: { filter: [{ script: { script: { id: 'twice', params: { n: 1 } } } }] } } };
  const script = { source: 'params.n * 2', lang: 'painless', params: { n: 1 } };
  expect(resolved(body)).toEqual({ query: { bool: { filter: [{ script: { script } }] } } });
});

test.each([
  [{ script: { id: 'other' } }],
  [{ script: { id: 'twice', lang: 'painless' } }],
  [{ script: 'twice' }],
  [{ query: { term: { id: 'twice' } } }],
])('what names no stored script stays as it is: %j', (body) => {
  expect(resolved(body)).toEqual(body);
});
