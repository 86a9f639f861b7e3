/**
 * `doc_as_upsert` as a parameter of an update, as the Java client sends it beside the member of the body.
 */
import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';

describe('the parameter doc_as_upsert of an update', () => {
  const node = testNode({ indices: [indexOf('lib')] });
  const update = async (id: string, parameter: string, body: object) =>
    await node.ask('POST', `/lib/_update/${id}?doc_as_upsert${parameter}`, body);

  test('inserts the part of a document that there is not', async () => {
    expect((await update('1', '=true', { doc: { n: 2 } })).status).toBe(201);
    expect((await update('1', '', { doc: { m: 1 } })).status).toBe(200);
    expect((await node.ask('GET', '/lib/_source/1')).json).toEqual({ n: 2, m: 1 });
    expect((await update('2', '=false', { doc: {} })).status).toBe(404);
  });
  test('yields to the member of the body', async () => {
    expect((await update('3', '=true', { doc: {}, doc_as_upsert: false })).status).toBe(404);
    expect((await update('3', '=false', { doc: {}, doc_as_upsert: true })).status).toBe(201);
  });
  test('needs a document, and is true or false', async () => {
    expect((await update('4', '=true', { script: '1' })).json.error.reason).toBe(
      'Validation Failed: 1: doc must be specified if doc_as_upsert is enabled;',
    );
    expect((await update('4', '=true', {})).status).toBe(400);
    expect((await update('4', '=maybe', { doc: {} })).json.error.reason).toBe(
      'Failed to parse value [maybe] as only [true] or [false] are allowed.',
    );
  });
});
