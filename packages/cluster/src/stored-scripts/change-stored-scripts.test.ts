import { describe, expect, test } from 'vitest';
import { emptyClusterState } from '../value/cluster-value-model.ts';
import { deleteStoredScripts, putStoredScript } from './change-stored-scripts.ts';

const script = (id: string, source: string) => ({ id, lang: 'painless', source, options: {} });
const state = ['b', 'a'].reduce((made, id) => putStoredScript(made, script(id, '1')), emptyClusterState('c'));

describe('stored scripts of the cluster state', () => {
  test('are kept by id, and replaced', () => {
    expect([...state.metadata.storedScripts.keys()]).toEqual(['a', 'b']);
    expect(putStoredScript(state, script('a', '2')).metadata.storedScripts.get('a')?.source).toBe('2');
  });

  test('are deleted by id; one that is not there is missing', () => {
    expect([...deleteStoredScripts(state, 'a').metadata.storedScripts.keys()]).toEqual(['b']);
    expect(() => deleteStoredScripts(state, 'c')).toThrow('stored script [c] does not exist and cannot be deleted');
  });

  test('have a limit of characters', () => {
    expect(() => putStoredScript(state, script('c', 'x'.repeat(65_536)))).toThrow(
      'exceeded max allowed stored script size',
    );
  });
});
